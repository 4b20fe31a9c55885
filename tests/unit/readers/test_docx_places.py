from __future__ import annotations

import itertools

import pytest

from ingest.readers.docx_places import Place, reading_order
from resumes.sniff import DOCX
from tests.unit.readers.made import docx, lines, p, read

INCH = 914_400


def _order(places: dict[str, tuple[float, float, float, float]]) -> list[str]:
    """Names in reading order; places in inches: left, top, width, height."""
    spots = {
        name: Place(left * INCH, top * INCH, (left + width) * INCH, (top + height) * INCH)
        for name, (left, top, width, height) in places.items()
    }
    orders = {tuple(reading_order(list(names), spots.get)) for names in itertools.permutations(spots)}
    assert len(orders) == 1, "the order in the file does not matter"
    return list(orders.pop())


def test_a_head_comes_before_the_columns_and_these_one_after_the_other():
    places = {
        "head": (0, 0, 8, 1),
        "skills": (0, 1.2, 2, 2),
        "contact": (0, 4, 2, 3),
        "work": (2.2, 1.2, 5, 4),
        "school": (2.2, 6, 5, 2),
    }
    assert _order(places) == ["head", "skills", "contact", "work", "school"]


def test_labels_beside_their_text_are_read_row_by_row():
    places = {"Work": (0, 1, 1, 0.3), "jobs": (1.2, 1, 6, 2), "School": (0, 3.5, 1, 0.3), "studies": (1.2, 3.5, 6, 1)}
    assert _order(places) == ["Work", "jobs", "School", "studies"]


def test_without_all_places_the_order_of_the_file_stays():
    assert reading_order(["b", "a"], {"a": Place(0, 0, 1, 1)}.get) == ["b", "a"]


@pytest.mark.parametrize("modern", [True, False])
def test_boxes_on_one_paragraph_come_in_the_order_of_their_places(tmp_path, modern):
    def box(text: str, top: int) -> str:
        content = f"<w:txbxContent>{p(text)}</w:txbxContent>"
        if modern:
            return (
                '<w:r><w:drawing><wp:anchor><wp:positionH relativeFrom="page"><wp:posOffset>0</wp:posOffset></wp:positionH>'
                f'<wp:positionV relativeFrom="page"><wp:posOffset>{top * INCH}</wp:posOffset></wp:positionV>'
                f'<wp:extent cx="{5 * INCH}" cy="{INCH // 2}"/><wps:txbx>{content}</wps:txbx></wp:anchor></w:drawing></w:r>'
            )
        style = f"position:absolute;margin-left:0;margin-top:{top * 72}pt;width:360pt;height:36pt"
        return f'<w:r><w:pict><v:shape style="{style}"><v:textbox>{content}</v:textbox></v:shape></w:pict></w:r>'

    body = f"<w:p>{box('third', 5)}{box('first', 1)}{box('second', 3)}</w:p>"
    assert lines(read(DOCX, docx(body), tmp_path)) == ["first", "second", "third"]
