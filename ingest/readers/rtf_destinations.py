"""The destinations of RTF: which groups hold text of the document, which hold something else, and what.

No program shows what stands in a destination marked `\\*` that it does not know, so such text is kept apart as hidden.
"""

from __future__ import annotations

# Destinations whose text is not the document's; those marked \\* are skipped as well, unless they are known below.
SKIPPED = frozenset(
    (  # noqa: SIM905 - words read better so
        "bkmkstart bkmkend filetbl listtable listoverridetable revtbl rsidtbl generator xmlnstbl themedata datastore "
        "latentstyles pntext listtext objdata annotation atnid atnauthor private template comment nonshppict blipuid mmathPr "
        "formfield ffname ffdeftext ffl ffhelptext ffstattext ffentrymcr ffexitmcr ffformat datafield fldtype pn pnseclvl "
        "xmlopen xmlname xmlattrname xmlattrvalue atrfstart atrfend atndate atnicn atnref atntime atnparent "
        "ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn background objclass objname objalias objsect protstart protend protusertbl "
        "htmltag mhtmltag picprop panose falt fname defchp defpap listpicture listname oldcprops oldpprops oldtprops oldsprops "
        "wgrffmtfilter passwordhash hlinkbase pgdsctbl pgdsc txfieldstart txfieldend mmathPict mathPict moMathParaPr "
        "userprops docvar xe tc txe rxe pgptbl operator shprslt nonesttables author company keywords subject doccomm"
    ).split()
)
TRANSPARENT = frozenset(("shpinst", "shppict", "nesttableprops", "do", "moMathPara", "moMath", "mr"))
"""Marked \\*, yet what they hold is the document's."""
ENTERED = {
    "fonttbl": "fonts", "stylesheet": "styles", "info": "info", "fldinst": "instruction", "pict": "picture",
    "shptxt": "frame", "dptxbxtext": "frame", "colortbl": "colors", "sp": "property",
}  # fmt: skip
HEADERS = {"header": "header", "headerl": "header", "headerr": "header", "headerf": "header",
            "footer": "footer", "footerl": "footer", "footerr": "footer", "footerf": "footer", "footnote": "footer"}  # fmt: skip
