"""PDF files made for tests, byte by byte: one can say exactly what is in them, damage included."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field


@dataclass
class MadePage:
    """A page of 600 by 800 points. `show` draws text at a place measured from the top left, as people think of it."""

    rotate: int = 0
    turned: bool = False
    """Draw so that the text runs up the page: upright once /Rotate 90 is applied."""
    content: list[str] = field(default_factory=list)
    links: list[tuple[float, float, float, float, str]] = field(default_factory=list)
    fields: list[tuple[float, float, str]] = field(default_factory=list)
    """Form fields with what was typed into them, by their lower left corner."""
    bare_fields: list[tuple[float, float, str]] = field(default_factory=list)
    """The same without a look of their own: entries of the field's dictionary in place of the text."""
    notes: list[str] = field(default_factory=list)
    """Entries of further annotations."""
    resources: str = ""
    """Further entries of the page's resources; `{X1}` stands for the first of `streams`."""
    streams: list[tuple[str, str]] = field(default_factory=list)
    """Further streams by their entries and content, such as forms, known to the page as `/X1`, `/X2`."""
    picture: bytes | None = None
    """Grey pixels of 60 by 80, drawn over the whole page before anything else."""

    def show(self, text: str, x: float, y: float, size: float = 11, *, bold: bool = False, before: str = "") -> MadePage:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        matrix = f"0 1 -1 0 {y} {x}" if self.turned else f"1 0 0 1 {x} {800 - y}"
        self.content.append(f"q {before} BT /F{2 if bold else 1} {size} Tf {matrix} Tm ({escaped}) Tj ET Q")
        return self

    def draw(self, operators: str) -> MadePage:
        self.content.append(f"q {operators} Q")
        return self

    def lines(self, texts: list[str], x: float, y: float, pitch: float = 14, size: float = 11) -> MadePage:
        for number, text in enumerate(texts):
            self.show(text, x, y + number * pitch, size)
        return self


def pdf(*pages: MadePage, junk: bytes = b"", encoding: str = "WinAnsiEncoding", layer: str = "") -> bytes:
    """The pages as a PDF with the standard fonts; `junk` goes before the header.

    Content may stand in a layer `/OC /L BDC … EMC`; `layer` tells, as in the file (`/OFF [5 0 R]`), how it is to begin with.
    """
    objects: list[bytes] = [b"", b"", *(_font(name, encoding) for name in ("Helvetica", "Helvetica-Bold"))]
    objects.append(b"<< /Type /OCG /Name (L) >>")
    kids: list[int] = []
    fields: list[int] = []
    for page in pages:
        resources = "/Font << /F1 3 0 R /F2 4 0 R >> /Properties << /L 5 0 R >>"
        stream = "\n".join(page.content)
        further = {}
        for number, (entries, drawn) in enumerate(page.streams, 1):
            objects.append(_stream(drawn.encode("latin-1"), f"{entries} /Resources << /Font << /F1 3 0 R >> >>"))
            further[f"X{number}"] = f"{len(objects)} 0 R"
        named_streams = " ".join(f"/{name} {place}" for name, place in further.items())
        if page.picture is not None:
            objects.append(
                _stream(
                    zlib.compress(page.picture),
                    "/Subtype /Image /Width 60 /Height 80 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
                )
            )
            named_streams += f" /P {len(objects)} 0 R"
            stream = f"q 600 0 0 800 0 0 cm /P Do Q\n{stream}"
        resources += f" /XObject << {named_streams} >>"
        resources += " " + _placed(page.resources, further)
        objects.append(_stream(stream.encode("latin-1"), ""))
        contents = len(objects)
        annotations = " ".join(
            f"<< /Type /Annot /Subtype /Link /Rect [{x0} {800 - y1} {x1} {800 - y0}] /A << /S /URI /URI ({target}) >> >>"
            for x0, y0, x1, y1, target in page.links
        )
        annotations += "".join(f" << /Type /Annot {_placed(entries, further)} >>" for entries in page.notes)
        for x, y, text in page.fields:
            look = f"BT /F1 11 Tf 2 4 Td ({text}) Tj ET".encode()
            objects.append(
                _stream(look, "/Type /XObject /Subtype /Form /BBox [0 0 200 16] /Resources << /Font << /F1 3 0 R >> >>")
            )
            annotations += (
                f" << /Type /Annot /Subtype /Widget /FT /Tx /F 4 /T (f{len(objects)}) /V ({text})"
                f" /Rect [{x} {800 - y} {x + 200} {816 - y}] /AP << /N {len(objects)} 0 R >> >>"
            )
        for x, y, entries in page.bare_fields:
            objects.append(
                f"<< /Type /Annot /Subtype /Widget /F 4 /Rect [{x} {800 - y} {x + 200} {816 - y}] {entries} >>".encode()
            )
            annotations += f" {len(objects)} 0 R"
            fields.append(len(objects))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate {page.rotate} /Contents {contents} 0 R "
            f"/Resources << {resources} >> /Annots [{annotations}] >>".encode()
        )
        kids.append(len(objects))
    catalogue = "/Type /Catalog /Pages 2 0 R"
    if layer:
        catalogue += f" /OCProperties << /OCGs [5 0 R] /D << {layer} >> >>"
    if fields:
        named = " ".join(f"{number} 0 R" for number in fields)
        catalogue += f" /AcroForm << /Fields [{named}] /DA (/F1 0 Tf 0 g) /DR << /Font << /F1 3 0 R >> >> >>"
    objects[0] = f"<< {catalogue} >>".encode()
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
    return junk + written(objects)


def written(objects: list[bytes]) -> bytes:
    """Numbered objects with header, cross-reference table and trailer; the first is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def _placed(text: str, places: dict[str, str]) -> str:
    return re.sub(r"\{(X\d)\}", lambda name: places[name[1]], text)


def _font(name: str, encoding: str) -> bytes:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /{encoding} >>".encode()


def _stream(data: bytes, entries: str) -> bytes:
    return f"<< /Length {len(data)} {entries} >>\nstream\n".encode() + data + b"\nendstream"
