"""API tokens in the admin: one's own, made and revoked; admins see everybody's. Takes the place of knox's page."""

from __future__ import annotations

from typing import Any

import knox.admin  # noqa: F401 - registers the page that is replaced here
from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from resumes import tokens
from resumes.admin.roles import Own
from resumes.models import ApiToken
from resumes.roles import Act

admin.site.unregister(AuthToken)


class TokenForm(forms.ModelForm):  # type: ignore[type-arg]  # takes no parameters at run time
    days = forms.IntegerField(
        label=_("valid for days"), min_value=1, max_value=tokens.MOST_DAYS, initial=tokens.usual_days, localize=True
    )

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = ()


@admin.register(ApiToken)
class ApiTokenAdmin(Own):
    view_act = add_act = delete_act = Act.TOKENS
    to_owner = "user"
    form = TokenForm
    fields = ("days",)
    list_display = ("key_column", "user", "created", "expiry_column")
    list_select_related = ("user",)

    def save_model(self, request: HttpRequest, obj: ApiToken, form: Any, change: bool) -> None:  # noqa: ARG002, FBT001 - Django's signature
        """Shows the token, once."""
        user: Any = request.user
        token = tokens.issue(obj, user, form.cleaned_data["days"])
        self.message_user(request, gettext("The token, shown now and not again: %(token)s") % {"token": token}, messages.WARNING)

    @admin.display(description=_("begins with"))
    def key_column(self, token: ApiToken) -> str:
        return str(token)

    @admin.display(description=_("valid until"), ordering="expiry")
    def expiry_column(self, token: ApiToken) -> Any:
        return token.expiry or gettext("no end")
