"""Decodes text whose encoding is declared wrongly or not at all.

Forms of Unicode are told by their bytes (`resumes.unicode_form`), encodings in seven bits by their marks
(`resumes.seven_bit`). Among the older encodings, text is decoded with
each and the one whose result looks most like writing wins: common Chinese characters, Cyrillic words in one case,
accents inside Latin words. A declared encoding is believed where its result looks no worse.
"""

from __future__ import annotations

import codecs
import unicodedata
from functools import lru_cache

import charset_normalizer

from resumes.seven_bit import seven_bit_candidate
from resumes.unicode_form import unicode_codec

_SAMPLE_BYTES = 16_000
_CANDIDATES = (
    "gb18030",
    "cp1251",
    "koi8-r",
    "big5hkscs",
    "cp1252",
    "cp866",
    "iso8859-5",
    "mac_cyrillic",
    "cp1250",
    "cp932",
    "cp949",
)
_DOUBTFUL = 0.3
_SURE_MARGIN = 0.1
_A_NAME = 300
"""Bytes; longer text is no UTF-8 by chance."""
_LIKELY = 0.7
_PLAUSIBLE = 0.6
_FEW_FAULTS = 3
_LOWER_CASE = 0.02
"""Where two encodings swap large letters and small ones, and a short word tells no more: small ones are more common."""
# How often letters occur in Russian, in per mille: what tells its one-byte encodings apart even in capitals.
_PER_MILLE = dict(
    zip(
        "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
        (
            110,
            85,
            80,
            74,
            67,
            63,
            55,
            47,
            45,
            44,
            35,
            32,
            30,
            28,
            26,
            20,
            19,
            17,
            17,
            16,
            16,
            14,
            12,
            10,
            9,
            7,
            6,
            5,
            4,
            3,
            3,
            1,
            1,
        ),
        strict=True,
    )
)
# Characters that make up half of what is written in Chinese, simplified and traditional, and those of resumes.
_DAILY = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法"
    "学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业"
    "外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声"
    "提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金"
    "指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格"
    "望觉术领共确传师观清今切院让识候带导争运笔历简姓性别出生籍贯联系邮箱手机职位描述经验技能语言英语证书项目负责专业毕业本科硕士博士公司"
    "這個們來為國時會對過發後裡種經麼學現當動還進實軍無與長機業將兩間問應戰頭體見產話內給門兒東聲員論處義幾認條氣題爾變電數報結務場計資"
    "總統區隊決書則聽達強難權萬設記號類據邊張該規覺術領確傳師觀讓識帶導爭運歷簡聯絡職務證照專案負責畢業碩博"
)
_PUNCTUATION = frozenset("“”‘’«»„–—…•№·°©®§")
_FIXED = {"\ufffd": -4.0, "\xa0": 0.2}
_RUSSIAN = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of `data`, never failing: what fits no encoding becomes U+FFFD. `declared` is what the document says."""
    codec = _unmistakable(data) or _legacy_codec(data, declared)
    if codec == "utf-8" and len(data) <= _A_NAME and likeness(data.decode(codec, "replace")) < 0:
        legacy = _legacy_codec(data, declared)  # a word may be UTF-8 by chance, as the Russian one for resume in DOS is
        if likeness(data.decode(legacy, "replace")) > _LIKELY:
            codec = legacy
    return data.decode(codec, "replace").removeprefix("\ufeff")


def ends_inside_character(data: bytes) -> bool:
    """Whether text in a form of Unicode stops in the middle of a character: its file has been cut off."""
    codec = _unmistakable(data)
    if codec is None:
        return False
    decoder = codecs.getincrementaldecoder(codec)("replace")
    decoder.decode(data)
    return bool(decoder.getstate()[0].rstrip(b"\0"))


def _unmistakable(data: bytes) -> str | None:
    """The codec where bytes or marks tell it: a form of Unicode, a few bytes of it damaged at most, or one in seven bits."""
    found = seven_bit_candidate(data)
    if found and likeness(found[1]) >= _DOUBTFUL:
        return found[0]
    return unicode_codec(data) or ("utf-8" if _is_damaged_utf8(data[:_SAMPLE_BYTES]) else None)


def _is_damaged_utf8(sample: bytes) -> bool:
    """Whether text is UTF-8 but for a byte or two: what is sound of it reads well, as no other encoding does by chance."""
    text = sample.decode("utf-8", "replace")
    faults = text.count("\ufffd")
    sound = text.replace("\ufffd", "")
    return faults <= min(_FEW_FAULTS, sum(char > "\x7f" for char in sound)) and likeness(sound) >= _PLAUSIBLE


def known_codec(name: str | None) -> str | None:
    """The codec a declared encoding means to those who write it: GB2312 is GB18030, Latin-1 is Windows-1252."""
    try:
        codec = codecs.lookup((name or "").strip().strip("\"'")).name
    except (LookupError, ValueError):
        return None
    aliases = {
        "gb2312": "gb18030",
        "gbk": "gb18030",
        "iso8859-1": "cp1252",
        "ascii": "cp1252",
        "big5": "big5hkscs",
        "shift_jis": "cp932",
    }
    codec = aliases.get(codec, codec)
    try:
        return codec if isinstance(b"".decode(codec), str) else None
    except LookupError:  # a codec that makes no text, such as base64
        return None


def _legacy_codec(data: bytes, declared: str | None) -> str:
    sample = data[:_SAMPLE_BYTES]
    if len(data) > _SAMPLE_BYTES:
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    scores = {codec: likeness(sample.decode(codec, "replace")) for codec in _CANDIDATES}
    stated = known_codec(declared)
    if stated and not stated.startswith(("utf-16", "utf-32")):
        scores.setdefault(stated, likeness(sample.decode(stated, "replace")))
        scores[stated] += _SURE_MARGIN
    best = max(scores, key=lambda codec: scores[codec])
    if scores[best] < _DOUBTFUL:
        guess = charset_normalizer.from_bytes(sample[:8_000]).best()
        if guess is not None and known_codec(guess.encoding):
            return guess.encoding
    return best


def likeness(text: str) -> float:
    """How much the characters outside ASCII look like writing: about 1 for real text, below 0 for mojibake."""
    total = count = 0.0
    before = " "
    for index, char in enumerate(text):
        if char > "\x7f":
            after = text[index + 1] if index + 1 < len(text) else " "
            total += _plausibility(char, before, after)
            count += 1
        before = char
    return total / count if count else 1.0


@lru_cache(maxsize=1 << 15)
def _plausibility(char: str, before: str, after: str) -> float:
    if char in _FIXED:
        return _FIXED[char]
    if "\u4e00" <= char <= "\u9fff":
        return -0.5 if _in_a_latin_word(before, after) else _commonness(char)
    if "\u0400" <= char <= "\u04ff":
        return _cyrillic(char, before, after)
    if "\u3000" <= char <= "\u303f" or "\uff01" <= char <= "\uff5e":
        return 0.8
    if "\u3040" <= char <= "\u30ff":
        return 0.7
    if "\uac00" <= char <= "\ud7a3":
        return -0.5 if _in_a_latin_word(before, after) else 0.4  # nearly every pair of bytes is a Korean syllable
    if "\u2500" <= char <= "\u25ff":
        return 0.4 if "\u2500" <= before <= "\u25ff" or "\u2500" <= after <= "\u25ff" else -0.3
    category = unicodedata.category(char)
    if category in ("Ll", "Lu"):
        return _latin(char, before, after)
    if char in _PUNCTUATION:
        return _punctuation(char, before, after)
    return -2.0 if category in ("Cc", "Co", "Cn") else -0.3


def _latin(char: str, before: str, after: str) -> float:
    """Accents stand inside words of plain letters, two of them side by side at most; few are words by themselves (à)."""
    letters = [near for near in (before, after) if near.isalpha()]
    if not letters:
        return 0.2 if char <= "\xff" and char.islower() else -0.5
    plain = any(near.isascii() for near in letters) and all(near < "\u0180" for near in letters)
    return 0.7 if plain and not (char.isupper() and before.islower()) else -0.5


def _in_a_latin_word(before: str, after: str) -> bool:
    return before.isascii() and before.islower() and after.isascii() and after.islower()


def _punctuation(char: str, before: str, after: str) -> float:
    """Closing quotes follow something, opening ones precede something, and signs do not stand inside words."""
    inside = before.isalpha() and after.isalpha()
    if char == "°" and "\u0400" <= before <= "\u04ff":
        return -0.5
    misplaced = (char in "»”" and before.isspace()) or (char in "«„" and after.isspace()) or (char in "№·°©®§«„»”" and inside)
    return -0.5 if misplaced else 0.8


def _commonness(char: str) -> float:
    """Chinese characters in daily use come first in GB 2312 (rows 16 to 55) and in Big5 (A4 to C6)."""
    simplified, traditional = char.encode("gb2312", "ignore"), char.encode("big5", "ignore")
    if char in _DAILY:
        return 1.0
    if simplified:
        return 0.6 if 0xB0 <= simplified[0] <= 0xD7 else 0.1
    if traditional:
        return 0.5 if 0xA4 <= traditional[0] <= 0xC6 else -0.5
    return -1.0


def _cyrillic(char: str, before: str, after: str) -> float:
    if char not in _RUSSIAN:
        return -0.2
    if (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha()):
        return -0.3
    if (char.isupper() and before.islower()) or (char.islower() and after.isupper()):
        return -1.0
    score = 0.3 + 0.7 * min(1.0, _PER_MILLE[char.lower()] / 50) + (_LOWER_CASE if char.islower() else 0)
    return score - 0.6 if char.islower() and before.isupper() and before not in _RUSSIAN else score
