"""What holds for every format in the registry, also for the one somebody adds tomorrow."""

from __future__ import annotations

import importlib
import random
from contextlib import suppress

import pytest

from ingest.page import from_data, to_data
from ingest.readers import CONTAINERS, READERS, RENDERED, can_render, container_for, page_images_for, reader_for
from resumes.taxonomy import CODES, ResumeError
from tests.fuzz.seeds import seeds
from tests.unit.readers.made import LIMITS

NONSENSE = {"nothing": b"", "zeros": b"\0" * 5000, "noise": random.Random(4).randbytes(5000), "brackets": b"<{[(" * 1250}


@pytest.mark.parametrize("content", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("media_type", READERS)
def test_nonsense_gives_a_reading_or_a_code(media_type, content, tmp_path):
    path = tmp_path / "document"
    path.write_bytes(content)
    with suppress(ResumeError):  # its code is one of the taxonomy, or it could not be made
        reading = reader_for(media_type).read(path, LIMITS)
        assert from_data(to_data(reading)).text == reading.text


@pytest.mark.parametrize("content", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("media_type", CONTAINERS)
def test_a_container_of_nonsense_gives_members_or_a_code(media_type, content, tmp_path):
    path = tmp_path / "container"
    path.write_bytes(content)
    container = container_for(media_type)
    assert container is not None
    with suppress(ResumeError):
        assert all(member.failure in ("", *CODES) for member in container.members(path, LIMITS))


@pytest.mark.parametrize("media_type", READERS)
def test_what_can_be_rendered_says_so_without_being_loaded(media_type):
    assert can_render(media_type) is (page_images_for(media_type) is not None)
    assert READERS.keys() >= RENDERED


def test_every_format_has_a_sound_file_that_is_damaged_by_make_fuzz():
    from resumes.sniff import sniff

    known = {sniff(content, name).media_type for name, content in seeds()}
    assert known >= READERS.keys() | CONTAINERS.keys()


@pytest.mark.parametrize("name", sorted({*READERS.values(), *CONTAINERS.values()}))
def test_every_module_says_what_it_reads(name):
    assert len(importlib.import_module(name).__doc__ or "") > 20
