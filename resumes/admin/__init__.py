"""The records in the admin. Each module registers its pages."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from resumes.admin import candidates, resumes, tokens

__all__ = ["candidates", "resumes", "tokens"]

admin.site.site_header = "Gleaner"
admin.site.site_title = "Gleaner"
admin.site.index_title = _("Overview")
admin.site.empty_value_display = "–"
admin.site.enable_nav_sidebar = False
