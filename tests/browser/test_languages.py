"""The workbench speaks Chinese and Russian as it speaks English: nothing of the interface is left untranslated."""

from __future__ import annotations

import pytest
from django.utils import translation
from playwright.sync_api import expect

from resumes import catalogs
from review.models import Case
from tests.browser.cases import poor
from tests.unit.test_languages import source_of

pytestmark = pytest.mark.django_db(transaction=True)

CATALOGUES = {"zh-hans": "zh_Hans", "ru": "ru"}
SHOWN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent.closest("script, style, .sheet, kbd, .runners, [lang]")) { continue; }
    texts.push(walker.currentNode.data.trim());
  }
  for (const node of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (!node.closest("[lang]:not(html)")) {
      texts.push(node.getAttribute("aria-label") || "", node.getAttribute("title") || "", node.getAttribute("placeholder") || "");
    }
  }
  return texts.filter(Boolean);
}""".replace('.runners, [lang]"', '.runners, [lang]:not(html)"')


@pytest.mark.parametrize("language", list(CATALOGUES))
def test_every_page_of_the_review_is_in_the_readers_language(desk, language):
    case = poor(desk.people["recruiter"])
    messages = catalogs.read(source_of(CATALOGUES[language]))
    same = {message.text for message in messages if message.text in message.translations}
    english = {message.text for message in messages if "%" not in message.text and len(message.text) > 3} - same
    page = desk.window(language=language)
    for path in ("?state__exact=PENDING", "statistics/", f"{case.pk}/work/"):
        desk.goto(page, f"/admin/review/case/{path}")
        if path.endswith("work/"):
            page.locator("#sections .heading").first.wait_for()
        assert page.locator("html").get_attribute("lang") == language
        left = english & set(page.evaluate(SHOWN)) - {"reviewer"}  # the name the reader has signed in by
        assert not left


@pytest.mark.parametrize("language", list(CATALOGUES))
def test_a_case_is_worked_on_in_the_readers_language(desk, language):
    with translation.override(language):
        tab, name, button = translation.gettext("To do"), translation.gettext("Name"), translation.gettext("Save and next")
    assert "Name" not in (tab, name, button)
    poor(desk.people["recruiter"])
    page = desk.goto(desk.window(language=language), "/admin/review/case/")
    expect(page.locator(".tabs")).to_contain_text(tab)
    page.locator(".next button").click()
    desk.at_work(page)
    expect(page.locator("label[for=field-name]")).to_contain_text(name)
    page.locator("#field-phone").fill("+1 202 555 0143")
    with page.expect_navigation():
        page.get_by_role("button", name=button).click()
    assert Case.objects.get().state == Case.State.DONE
