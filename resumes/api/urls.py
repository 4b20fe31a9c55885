"""Addresses of the records."""

from rest_framework.routers import SimpleRouter

from resumes.api.candidates import CandidateViewSet
from resumes.api.resumes import ResumeViewSet
from resumes.api.tokens import TokenViewSet
from resumes.api.vacancies import VacancyViewSet

router = SimpleRouter()
router.register("resumes", ResumeViewSet, basename="resume")
router.register("candidates", CandidateViewSet, basename="candidate")
router.register("vacancies", VacancyViewSet, basename="vacancy")
router.register("tokens", TokenViewSet, basename="token")

urlpatterns = router.urls
