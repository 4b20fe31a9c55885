from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResumesConfig(AppConfig):
    name = "resumes"
    verbose_name = _("Resumes")

    def ready(self) -> None:
        from resumes import checks  # noqa: F401 - registers the system checks
