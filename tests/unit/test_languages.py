"""The interface speaks three languages, completely: nothing untranslated, nothing stale, nothing left out."""

from __future__ import annotations

import ast
import gettext
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation.template import templatize

from resumes import catalogs

ROOT = Path(settings.ROOT)
LANGUAGES = ("zh_Hans", "ru")
APPS = ("resumes", "ingest", "review", "settings")
MARKERS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
IN_CONTEXT = {"pgettext", "pgettext_lazy"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]+>")


def source_of(language: str) -> Path:
    return ROOT / "resumes" / "locale" / language / "LC_MESSAGES" / "django.po"


def texts_in_code() -> set[str]:
    found = set()
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKERS | IN_CONTEXT:
                    arguments = [
                        argument.value
                        for argument in node.args[: 1 + (node.func.id in IN_CONTEXT)]
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                    ]
                    if arguments:
                        found.add("\x04".join(arguments))
        for path in (ROOT / app).rglob("*.html"):
            marked = templatize(path.read_text(encoding="utf-8"))
            for text in re.findall(r"\b(?:_|n?gettext)\((u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"))", marked):
                found.add(ast.literal_eval(text))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_none_is_in_doubt(language):
    messages = catalogs.read(source_of(language))
    assert len(messages) > 100
    for message in messages:
        assert message.translations, message.text
        assert all(message.translations), message.text
        assert not message.fuzzy, message.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_code_is_in_the_catalogue_and_no_other(language):
    known = {message.key for message in catalogs.read(source_of(language))} - {""}
    assert known == texts_in_code(), "run: manage.py makemessages, translate, manage.py compile_languages"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_keeps_the_placeholders_of_its_text(language):
    for message in catalogs.read(source_of(language))[1:]:
        wanted = set(PLACEHOLDER.findall(message.plural or message.text))
        for translation in message.translations:
            assert set(PLACEHOLDER.findall(translation)) == wanted, message.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_its_source(language):
    source = source_of(language)
    messages = catalogs.read(source)
    assert source.with_suffix(".mo").read_bytes() == catalogs.compiled(messages), "run: manage.py compile_languages"
    with source.with_suffix(".mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    for message in messages[1:]:
        expected = message.translations[0]
        if message.context:
            found = catalogue.pgettext(message.context, message.text)
        elif message.plural:
            found = catalogue.ngettext(message.text, message.plural, 1)
        else:
            found = catalogue.gettext(message.text)
        assert found == expected


def test_russian_has_a_form_for_each_kind_of_number():
    with source_of("ru").with_suffix(".mo").open("rb") as file:
        russian = gettext.GNUTranslations(file)
    forms = [
        russian.ngettext("Fill in one field.", "Fill in %(number)d fields.", number) % {"number": number}
        for number in (1, 3, 5, 21)
    ]
    assert forms == ["Заполните 1 поле.", "Заполните 3 поля.", "Заполните 5 полей.", "Заполните 21 поле."]
