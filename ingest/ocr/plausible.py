"""Whether a text can be real: the figure that tells a reading in the wrong script, upside down or of noise from a good one.

An engine that meets letters it was not trained on does not fail, it answers with look-alikes: Russian read as Latin is
`Makcum HoBukoB`, English read as Russian is `Зепог боймаге`. Pure: no models, no word lists beyond the tables here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

_LATIN_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
_EDGE = "_"

# How often a letter follows another: 9 + log2 of its share, 0 to 9, a row for the letter before (the edge of the word
# first), a column for the letter after. Counted over distinct words of English technical prose with a quarter's weight
# of German, French, Spanish, Italian, Portuguese, Dutch and Polish; Russian with some Bulgarian and Ukrainian.
_LATIN_ROWS = (
    "054555444522454452565434012",  # _
    "524550240412656140656332122",  # a
    "562426012630721520543500040",  # b
    "460416006515510700436400022",  # c
    "751137100610322510342400021",  # d
    "641563331301446232665132411",  # e
    "550236510700402600523500030",  # f
    "741017034500324410542500001",  # g
    "660017101600332600425300020",  # h
    "443545440012547631455040203",  # i
    "671247110404114520152610003",  # j
    "753217031600533510354414010",  # k
    "661247110601512620144420050",  # l
    "574027000600341560032400020",  # m
    "651555361503213510056330020",  # n
    "523452230313557440654534100",  # o
    "560126203501611650645400030",  # p
    "402020000000502000000900000",  # q
    "661347230602243520454321032",  # r
    "740406214502312441156401021",  # s
    "661317105600321520544401040",  # t
    "344435330411656350656200101",  # u
    "471008000600010500210100010",  # v
    "670126015602205510542102040",  # w
    "642526213600231260227020212",  # x
    "832434220421444350255002031",  # y
    "662227110602144500213403053",  # z
)
_CYRILLIC_ROWS = (
    "044545215505345564654322320000102",  # _
    "704535234144536044462023322000013",  # а
    "460100600502512607406020004440002",  # б
    "570220611604504524443020100442003",  # в
    "463221500500511706226000000000100",  # г
    "570301730602245605424000110321001",  # д
    "702335223034547326550002231000000",  # е
    "460006700703226400234000300002000",  # ж
    "484534400503145544234020120223010",  # з
    "721423425254545424550233311000024",  # и
    "801024000002413400660000110000000",  # й
    "570400300700523604454013000100000",  # к
    "461010632703404600324000000126055",  # л
    "663400700602123620105000000031003",  # м
    "560023600702005600453100010053014",  # н
    "605645343244555245550010421000022",  # о
    "351000600503303727134001000310002",  # п
    "471322731603133621434010020131003",  # р
    "340300500507423542374010000425004",  # с
    "660400600603124616404000000335001",  # т
    "733545434035545055550000423000140",  # у
    "060000500700300706005000000000000",  # ф
    "830500500500245705432000000200200",  # х
    "460000600805000000004000000045024",  # ц
    "360300700704006401042000100001000",  # ч
    "560500700705504500224000000000000",  # ш
    "560000800700003603004000000004000",  # щ
    "004534545025644457450022204000000",  # ъ
    "705402600061561033340050030000000",  # ы
    "800001204247016400550000030000011",  # ь
    "000050000000700000580000050000000",  # э
    "704202000004435002050000706000000",  # ю
    "804404304014344023151033103000022",  # я
)


def _table(letters: str, rows: tuple[str, ...]) -> Mapping[str, int]:
    symbols = _EDGE + letters
    return MappingProxyType(
        {
            first + second: int(digit)
            for first, row in zip(symbols, rows, strict=True)
            for second, digit in zip(symbols, row, strict=True)
        }
    )


_LATIN = _table(_LATIN_LETTERS, _LATIN_ROWS)
_CYRILLIC = _table(_CYRILLIC_LETTERS, _CYRILLIC_ROWS)

_HAN = re.compile(r"[㐀-鿿]")
_SPACED_HAN = re.compile(r"(?<=[㐀-鿿])\s+(?=[㐀-鿿])")
_SEPARATORS = re.compile(r"[()\[\]{}<>«»“”„\"|/\\,;:!?、，。；：！？（）《》·•●▪■◆~–—+]+")
_ORNAMENT = re.compile(r"[•·●▪■◆○□★|–—\-/&+~*、，。；：（）()]+\Z")
"""Marks that stand alone in real documents: bullets, dashes, rules."""
_NUMBER = re.compile(r"[№#$€£¥₽]?\d[\d.\-%]*[%°кг年月日]*\Z")
_ADDRESS = re.compile(r"(?:[\w.%-]+@[\w.-]+|(?:[\w-]+\.)+[a-zA-Z]{2,})\Z", re.ASCII)
_CODE = re.compile(
    r"(?:[A-Za-zА-Я]{1,5}[+#]*-?\d{1,5}[A-Za-z]?|\d{1,4}[A-Za-zА-Я]{1,3}|[A-Z]{2,6}|[А-ЯЁ]{2,6}|[A-Za-z][+#]{1,2})\Z"
)
"""Grades, norms, products, abbreviations: B2, ISO9001, 1С, SMM, C++."""
_CAMEL = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]{2,4})(?:[A-Z][a-z]+|[A-Z]{2,4})(?:[A-Z]?[a-z]*)\Z")
_SINGLE = frozenset("aieoyAIEOYCRавикосуяАВИКОСУЯ")
"""Words of one letter in English, Spanish, Italian and Russian, and two programming languages."""
_MIN_WEIGHT = 2.0
"""Of a short word, in letters: readings of noise are full of them."""
_USUAL = 3.6
"""Mean of the table's figures from which a word looks usual; below `_ODD` it looks like none."""
_ODD = 2.2


def plausibility(text: str) -> float:
    """How believable the text is as English, Chinese or Russian (or a language written alike), 0 to 1.

    The share of its letters that stand in believable words. Empty text has 0.
    """
    good = total = 0.0
    for chunk in _SPACED_HAN.sub("", unicodedata.normalize("NFKC", text)).split():
        judged = [_judge(token) for part in _SEPARATORS.split(chunk) if (token := part.strip(".'’‘`-_*=&©®™"))]
        if not judged and not _ORNAMENT.match(chunk):
            judged = [(_MIN_WEIGHT, 0.0)]  # what is left of words whose letters the engine does not know
        for weight, belief in judged:
            good += weight * belief
            total += weight
    return round(good / total, 3) if total else 0.0


def _judge(token: str) -> tuple[float, float]:
    """Weight and belief (0 to 1) of one token."""
    han = len(_HAN.findall(token))
    if han:
        return _judge_han(token, han)
    if _NUMBER.match(token):
        return min(len(token), 4) * 0.25, 1.0
    if _ADDRESS.match(token):
        return 4.0, 1.0
    if _CODE.match(token):
        return _MIN_WEIGHT, 0.6
    return _judge_word(token)


def _judge_han(token: str, han: int) -> tuple[float, float]:
    """Everyday characters make up nearly all of real Chinese, and it comes in runs; a misread page has neither."""
    everyday = sum(1.0 for char in token if _HAN.match(char) and _is_everyday(char))
    return 2.0 * han, (everyday / han) ** 3 * (0.2 if len(token) == 1 else 1.0)


def _is_everyday(char: str) -> bool:
    """Level one of GB 2312, the 3,755 most used characters; traditional ones by level one of Big5."""
    for encoding, first, last in (("gb2312", 0xB0A1, 0xD7F9), ("big5", 0xA440, 0xC67E)):
        try:
            code = char.encode(encoding)
        except UnicodeEncodeError:
            continue
        if first <= int.from_bytes(code, "big") <= last:
            return True
    return False


def _judge_word(token: str) -> tuple[float, float]:
    if len(token) == 1:
        return _MIN_WEIGHT, 0.8 if token in _SINGLE else 0.1
    parts = [part for part in re.split(r"[-.'’_&@]", token) if part]
    letters = sum(len(part) for part in parts)
    if not letters:
        return _MIN_WEIGHT, 0.0
    return max(_MIN_WEIGHT, letters), sum(len(part) * _believe(part) for part in parts) / letters


def _believe(part: str) -> float:
    """How much a run of letters looks like a word."""
    if _CODE.match(part):
        return 0.6
    if any(char.isdigit() for char in part):
        return 0.1
    if not part.isalpha():
        return 0.0
    folded = "".join(char for char in unicodedata.normalize("NFKD", part.lower()) if not unicodedata.combining(char))
    if all(char in _LATIN_LETTERS for char in folded):
        table = _LATIN
    elif all("а" <= char <= "ё" for char in folded):
        table = _CYRILLIC
    elif all("Ѐ" <= char <= "ӿ" for char in folded):
        return 0.7  # other languages in Cyrillic
    elif any("a" <= char <= "z" for char in folded) and any("а" <= char <= "я" for char in folded):
        return 0.0  # two scripts in one word
    else:
        return 0.5
    case = 1.0 if part.islower() or part.isupper() or part.istitle() else (0.8 if _CAMEL.match(part) else 0.2)
    edged = f"{_EDGE}{folded}{_EDGE}"
    figures = [table.get(edged[index : index + 2], 0) for index in range(len(edged) - 1)]
    mean = sum(figures) / len(figures) - 0.5 * figures.count(0)
    return case * min(1.0, max(0.0, (mean - _ODD) / (_USUAL - _ODD)))
