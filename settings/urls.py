"""All addresses. The apps bring their own; here they are put together."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

handler400 = "resumes.api.handlers.bad_request"
handler404 = "resumes.api.handlers.not_found"
handler500 = "resumes.api.handlers.server_error"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("resumes.api.urls")),
    path("api/v1/", include("ingest.api.urls")),
    path("api/v1/", include("review.api")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("ingest.urls")),
]
