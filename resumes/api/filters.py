"""Filters of lists that several of them have."""

from __future__ import annotations

import datetime as dt
from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django_filters.fields import IsoDateTimeField


class _MomentField(IsoDateTimeField):  # type: ignore[misc]  # no stubs
    def clean(self, value: Any) -> dt.datetime | None:
        moment: dt.datetime | None = super().clean(value)
        try:
            return moment and moment.astimezone(dt.UTC)
        except OverflowError as exc:  # in the first or last hours of the calendar, seen from another zone
            raise ValidationError(_("Enter a valid date/time.")) from exc


class _YesOrNoField(forms.Field):
    def to_python(self, value: Any) -> bool | None:
        if value in (None, ""):
            return None
        known = {"true": True, "1": True, "false": False, "0": False}
        try:
            return known[str(value).lower()]
        except KeyError as exc:
            raise ValidationError(_("Either true or false.")) from exc


class YesOrNo(django_filters.BooleanFilter):  # type: ignore[misc]  # no stubs
    """True or false; anything else is refused and not taken for nothing said."""

    field_class = _YesOrNoField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, widget=forms.TextInput, **kwargs)


class _AnyOfField(django_filters.fields.MultipleChoiceField):  # type: ignore[misc]  # no stubs
    def clean(self, value: Any) -> Any:
        return super().clean([one for one in value or () if one != ""])  # `?state=` asks for nothing, as with every filter


class AnyOf(django_filters.MultipleChoiceFilter):  # type: ignore[misc]  # no stubs
    """One of several values, each given as a parameter of its own."""

    field_class = _AnyOfField


class Moment(django_filters.IsoDateTimeFilter):  # type: ignore[misc]  # no stubs
    """A point in time in ISO 8601, refused where the database could not hold it."""

    field_class = _MomentField
