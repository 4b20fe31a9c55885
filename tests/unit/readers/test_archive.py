from __future__ import annotations

import io
import stat
import struct
import zipfile
from dataclasses import replace

import pytest

from ingest.readers import archive
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import LIMITS, docx, p, zipped

TEXT = b"Nora Field, cook\n"


def members(content: bytes, folder, limits=LIMITS):
    path = folder / "archive"
    path.write_bytes(content)
    return [(member.name, member.content, member.failure) for member in archive.members(path, limits)]


def test_documents_come_out_and_litter_stays(tmp_path):
    content = zipped(
        {
            "team/nora.txt": TEXT, "team/": b"", "__MACOSX/team/._nora.txt": b"x", ".DS_Store": b"x", "Thumbs.db": b"x",
            "~$nora.docx": b"x", "desktop.ini": b"x",
        }
    )  # fmt: skip
    assert members(content, tmp_path) == [("team/nora.txt", TEXT, "")]


def test_an_archive_inside_is_opened_and_a_word_file_is_not(tmp_path):
    word = docx(p("Nora"))
    content = zipped({"inner.zip": zipped({"cv.txt": TEXT}), "cv.docx": word})
    assert members(content, tmp_path) == [("inner.zip!cv.txt", TEXT, ""), ("cv.docx", word, "")]


def test_archives_nested_deeper_are_unsafe(tmp_path):
    content = zipped({"a.zip": zipped({"b.zip": zipped({"cv.txt": TEXT})})})
    with pytest.raises(ResumeError, match="archive_unsafe"):
        members(content, tmp_path)


@pytest.mark.parametrize("name", ["../evil.txt", "a/../../evil.txt", "/etc/evil", "..\\evil.txt", "C:\\evil.txt"])
def test_paths_that_lead_outside_are_unsafe_and_nothing_is_handed_out_before(tmp_path, name):
    path = tmp_path / "archive"
    path.write_bytes(zipped({"cv.txt": TEXT, name: b"x"}))
    with pytest.raises(ResumeError, match="archive_unsafe"):
        next(archive.members(path, LIMITS))


def test_too_many_entries_are_unsafe(tmp_path):
    with pytest.raises(ResumeError, match="archive_unsafe"):
        members(zipped({f"{number}.txt": TEXT for number in range(4)}), tmp_path, replace(LIMITS, max_entries=3))


def test_entries_of_inner_archives_count_too(tmp_path):
    inner = zipped({f"{number}.txt": TEXT for number in range(3)})
    with pytest.raises(ResumeError, match="archive_unsafe"):
        members(zipped({"a.zip": inner, "b.zip": inner}), tmp_path, replace(LIMITS, max_entries=6))


def test_sizes_are_counted_whatever_the_directory_claims(tmp_path):
    content = bytearray(zipped({"zeros.bin": b"\0" * 60_000_000}))
    at = content.rfind(b"PK\1\2")
    struct.pack_into("<I", content, at + 24, 10)  # the size in the directory
    with pytest.raises(ResumeError, match="archive_unsafe"):
        members(zipped({"a.txt": TEXT, "zeros.bin": b"\0" * 60_000_000}), tmp_path)
    lying = members(bytes(content), tmp_path)
    assert lying == [("zeros.bin", b"", "corrupt")], "no more than was claimed is unpacked"


def test_the_whole_must_fit_the_limit(tmp_path):
    content = zipped({"a.bin": bytes(range(256)) * 100, "b.bin": bytes(range(256)) * 100})
    with pytest.raises(ResumeError, match="archive_unsafe"):
        members(content, tmp_path, replace(LIMITS, max_unpacked_bytes=50_000))


def test_an_entry_above_the_limit_of_a_file_fails_alone(tmp_path):
    content = zipped({"large.txt": b"x" * 2000, "cv.txt": TEXT})
    assert members(content, tmp_path, replace(LIMITS, max_file_bytes=1000)) == [
        ("large.txt", b"", "too_large"),
        ("cv.txt", TEXT, ""),
    ]


def _locked(content: bytes, *names: bytes) -> bytes:
    """Sets the flag of an encrypted entry, in the entry and in the directory."""
    raw = bytearray(content)
    for signature, flags, name_at in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
        at = raw.find(signature)
        while at >= 0:
            if any(raw[at + name_at : at + name_at + len(name)] == name for name in names):
                raw[at + flags] |= 1
            at = raw.find(signature, at + 1)
    return bytes(raw)


def test_an_encrypted_entry_fails_alone_and_all_of_them_fail_together(tmp_path):
    content = zipped({"a.txt": TEXT, "b.txt": TEXT})
    assert members(_locked(content, b"a.txt"), tmp_path) == [("a.txt", b"", "encrypted"), ("b.txt", TEXT, "")]
    with pytest.raises(ResumeError, match="encrypted"):
        members(_locked(content, b"a.txt", b"b.txt"), tmp_path)


def test_a_damaged_entry_fails_alone(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        file.writestr("a.txt", b"aaaaaaaaaa")
        file.writestr("b.txt", TEXT)
    content = out.getvalue().replace(b"aaaaaaaaaa", b"aaaaabaaaa", 1)
    assert members(content, tmp_path) == [("a.txt", b"", "corrupt"), ("b.txt", TEXT, "")]


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("林芳-简历.txt", "gbk"),
        ("张伟.txt", "gbk"),
        ("简历.txt", "gbk"),
        ("履歷表.txt", "big5"),
        ("Резюме Полева.txt", "cp866"),
        ("резюме.txt", "cp866"),
        ("Полев.txt", "cp866"),
        ("резюме.txt", "cp1251"),
        ("Анна Полева.txt", "cp1251"),
        ("Нина.txt", "utf-8"),
        ("简历.txt", "utf-8"),
        ("\U0001f600.txt", "utf-8"),
        ("R\u00e9sum\u00e9.txt", "utf-8"),
    ],
)
def test_names_are_decoded_from_the_code_page_of_their_writer(tmp_path, name, encoding):
    raw = name.encode(encoding)
    content = zipped({"x" * len(raw): TEXT}).replace(b"x" * len(raw), raw)
    assert members(content, tmp_path) == [(name, TEXT, "")]


@pytest.mark.parametrize("content", [zipped({}), zipped({".DS_Store": b"x"}), zipped({"folder/": b""})])
def test_an_archive_without_documents_is_empty(tmp_path, content):
    with pytest.raises(ResumeError, match="empty_file"):
        members(content, tmp_path)


def test_an_empty_document_is_named(tmp_path):
    assert members(zipped({"cv.txt": b""}), tmp_path) == [("cv.txt", b"", "empty_file")]


def test_an_archive_without_its_end_is_corrupt(tmp_path):
    with pytest.raises(ResumeError, match="corrupt"):
        members(zipped({"cv.txt": TEXT})[:-30], tmp_path)


def test_an_entry_whose_name_ends_before_it_begins_does_no_harm(tmp_path):
    content = zipped({"cv.txt": TEXT, "nameless": "y"}).replace(b"nameless", b"\0ameless")
    assert members(content, tmp_path)[0] == ("cv.txt", TEXT, "")


def _split(content: bytes, disk: int) -> bytes:
    """An archive as the last of several volumes."""
    at = content.rfind(b"PK\5\6")
    return content[: at + 4] + struct.pack("<HH", disk, 0) + content[at + 8 :]


@pytest.mark.parametrize(
    "content",
    [b"PK\7\x08" + zipped({"cv.txt": TEXT * 50})[:120], _split(zipped({"cv.txt": TEXT}), 2)],
    ids=["first volume", "last volume"],
)
def test_a_volume_of_several_says_that_it_is_one(tmp_path, content):
    with pytest.raises(ResumeError) as error:
        members(content, tmp_path)
    assert error.value.code == "corrupt"
    assert "several parts" in error.value.detail
    assert "one part of several" in error.value.entry.message


def test_an_archive_that_only_begins_like_a_volume_is_whole(tmp_path):
    assert members(b"PK00" + zipped({"cv.txt": TEXT}), tmp_path) == [("cv.txt", TEXT, "")]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_a_link_or_a_device_is_refused_alone_and_never_followed(tmp_path, kind):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        link = zipfile.ZipInfo("link.txt")
        link.create_system, link.external_attr = 3, (kind | 0o777) << 16
        file.writestr(link, "../../etc/passwd")
        file.writestr("cv.txt", TEXT)
    assert members(out.getvalue(), tmp_path) == [("link.txt", b"", "unsupported_format"), ("cv.txt", TEXT, "")]


@pytest.mark.parametrize(
    "name", ["a:b|c?.txt", "c:cv.txt", 'what "is" this*<>.txt', "..hidden.txt", "a..b/cv.txt", "trailing. .txt"]
)
def test_names_some_systems_do_not_allow_do_no_harm(tmp_path, name):
    assert members(zipped({name: TEXT, "cv.txt": TEXT}), tmp_path) == [(name, TEXT, ""), ("cv.txt", TEXT, "")]
