"""Make the sample resumes again: `python samples/make.py [FOLDER]`. The same program gives the same bytes.

Needs requirements/samples.txt besides base.txt, and the Debian packages fonts-noto-cjk and fonts-liberation.
"""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path

import people
from forms import packed, table_form
from people import CHINESE, ENGLISH, RUSSIAN
from pictures import photographed, scanned
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, ByteStringObject
from sheets import sidebar, single_column
from texts import office_page, plain_text, web_page

PASSWORD = "sample"  # noqa: S105 - printed in README.md on purpose


def samples() -> dict[str, bytes]:
    """Every sample by its file name."""
    return {
        "harriet-lindqvist.pdf": single_column(people.HARRIET, ENGLISH),
        "tomas-okonjo.pdf": sidebar(people.TOMAS, ENGLISH),
        "su-wanqing.docx": table_form(people.WANQING, CHINESE, (("性别", "女"), ("出生年月", "1995年3月"), ("民族", "汉族"))),
        "margaret-oyelaran-scan.pdf": scanned(single_column(people.MARGARET, ENGLISH, serif=True, accent=(40, 40, 40))),
        "lin-zhiyuan-photo.jpg": photographed(single_column(people.ZHIYUAN, CHINESE, accent=(150, 54, 48), scale=1.25)),
        "joel-marsden.html": web_page(people.JOEL, ENGLISH).encode(),
        "pavel-zimin.txt": plain_text(people.PAVEL, RUSSIAN).encode("cp1251"),
        "career-fair.zip": packed(
            {
                "marina-vetrova.pdf": single_column(people.MARINA, RUSSIAN, accent=(92, 58, 120), scale=1.08),
                "shen-yifan.pdf": single_column(people.YIFAN, CHINESE, accent=(30, 110, 84)),
            }
        ),
        "grace-abernethy.doc": office_page(people.GRACE, ENGLISH).encode(),
        "leo-fontaine.pdf": single_column(people.LEO, ENGLISH, accent=(140, 84, 36)),
        "priya-ramanathan-protected.pdf": protected(single_column(people.PRIYA, ENGLISH)),
        "broken-upload.pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + random.Random(7).randbytes(6000),
    }


def protected(pdf: bytes) -> bytes:
    """The document behind a password. RC4, since AES begins with chance and would give other bytes each time."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    identifier = ByteStringObject(random.Random(8).randbytes(16))
    writer._ID = ArrayObject((identifier, identifier))  # noqa: SLF001 - pypdf would draw one by lot
    writer.encrypt(PASSWORD, owner_password=PASSWORD, algorithm="RC4-128")
    writer._ID[1] = identifier  # noqa: SLF001 - drawn anew by encrypt()
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, content in samples().items():
        (folder / name).write_bytes(content)
        print(f"{len(content):>8,}  {name}")
