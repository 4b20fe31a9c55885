"""Nothing of a page is cut off, in windows as narrow as 1024 pixels and in the language with the longest words."""

from __future__ import annotations

import pytest

from review.models import Case
from tests.browser.cases import poor, received
from tests.integration.people import POOR

pytestmark = pytest.mark.django_db(transaction=True)

CUT_OFF = """() => {
  const low = (node) => node.id === "header" && node.scrollHeight > node.clientHeight + 1;
  return [...document.querySelectorAll("body, #header, .results, .tabs, .reason, .pane > header, .field, .keys, .panel")]
    .filter((node) => node.scrollWidth > node.clientWidth + 1 || low(node))
    .map((node) => `${node.tagName}.${node.className || node.id} ${node.scrollWidth} in ${node.clientWidth}`);
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_nothing_is_cut_off(desk, language):
    owner = desk.people["recruiter"]
    case = poor(owner)
    received(POOR, owner, "a-file-with-a-rather-long-name-as-they-come-from-job-boards.txt")
    Case.objects.exclude(pk=case.pk).update(code="no_text_layer")
    page = desk.window("admin", language=language)
    found = {}
    for path in (
        "/admin/review/case/?state__exact=PENDING",
        "/admin/review/case/statistics/",
        f"/admin/review/case/{case.pk}/work/",
    ):
        desk.goto(page, path)
        if path.endswith("work/"):
            desk.at_work(page)
        for width in (1440, 1280, 1024):
            page.set_viewport_size({"width": width, "height": 768})
            found[path, width] = page.evaluate(CUT_OFF)
    assert {where: cut for where, cut in found.items() if cut} == {}
