"""Whether text is what a person wrote, or glyphs mapped to the wrong characters.

A PDF can show the right shapes and carry the wrong characters: no map at all, glyph numbers taken for letters, one code
page read as another, code points shifted. Judged by what all writing has in common (which letters are frequent, that
vowels and consonants alternate, that ordinary ideographs outnumber rare ones), never by a list of words.
"""

from __future__ import annotations

import collections
import functools
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from math import log

from ingest.readers.mojibake import misreading

# Letters in order of frequency, averaged over the larger European languages and over East Slavic ones, in per mille.
_LATIN = dict(
    zip(
        "eainrtsoludcmphgbvfkyzwjqx",
        (118, 90, 80, 75, 70, 70, 68, 68, 46, 40, 40, 36, 30, 27, 26, 19, 15, 14, 15, 16, 13, 11, 11, 5, 4, 4),
        strict=True,
    )
)
_CYRILLIC = dict(
    zip(
        "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъ",
        (110, 85, 80, 74, 67, 63, 55, 47, 45, 44, 35, 32, 30, 28, 26, 20, 19, 17, 17, 17, 16, 15, 12, 10, 9, 7, 6, 5, 4, 3, 3, 1),
        strict=True,
    )
)
_LATIN_VOWELS = frozenset("aeiouy")
_CYRILLIC_VOWELS = frozenset("аеиоуыэюяіїє")
_LEAST_LETTERS = 60
"""Letters from which frequencies say something."""
_FEW_LETTERS = 25
"""Letters from which only the plainest cases can be told: a name, a few headings."""
_ABBREVIATION = 5
"""Words in capitals up to this length are left out of frequencies: abbreviations have no vowels in any language."""
_LEAST_HAN = 4
_RARE_SHARE = 0.25
"""Share of rare ideographs from which text is no language; names bring up to a twentieth."""


@dataclass(frozen=True, slots=True)
class Garble:
    """How much of a page's text is wrongly mapped."""

    letters: int
    """Characters that are not white space."""
    bad: int
    """Of these, characters of fonts whose text is no language, and characters that are none at all."""

    @property
    def share(self) -> float:
        return self.bad / self.letters if self.letters else 0.0


def garble_of(texts: Iterable[str]) -> Garble:
    """Judge texts that share a character map each (one a font), as the file gives them, words separated by spaces."""
    parts = list(texts)
    counts = [len("".join(part.split())) for part in parts]
    bad = sum(count if _is_garbled(part, count) else _broken(part) for part, count in zip(parts, counts, strict=True))
    letters = sum(counts)
    if bad < letters and len(parts) > 1 and _is_garbled(" ".join(parts), letters):
        bad = letters  # many small fonts, none of which says enough alone
    return Garble(letters, bad)


def _is_garbled(text: str, count: int) -> bool:
    return (not text.isascii() and misreading(text) is not None) or _is_no_text(text, count)


def _is_no_text(text: str, count: int) -> bool:
    return (
        _broken(text) > 0.2 * count
        or _is_wrong_code_page(text, count)
        or _is_symbols(text)
        or _is_rare_han(text)
        or _is_rare_cyrillic(text)
        or _is_no_language(text)
        or _is_mixed(text)
    )


_PRIVATE_RUN = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]{2,}")


_A_LIST, _DISTINCT = 20, 0.85
"""Letters from which those that are nearly all different are a table of letters: writing repeats itself."""
_CONTROLS = re.compile("[\x00-\x1f\x7f]")
_LATIN_1 = re.compile("[\x80-\x9f¡-¦¨ª¬\xad¯±-¶¸-º¼-ÿ]")


def _broken(text: str) -> int:
    """Characters that are none: replacement marks, controls, unassigned and private ones. Icons stand alone and are fine."""
    if text.isascii():
        return len(_CONTROLS.findall(text))
    private = sum(len(run) for run in _PRIVATE_RUN.findall(text) if len(set(run)) > 2)
    counts = collections.Counter(text)
    return private + sum(n for char, n in counts.items() if char == "\ufffd" or unicodedata.category(char) in ("Cn", "Cc"))


def _is_wrong_code_page(text: str, count: int) -> bool:
    """Bytes of another code page read as Latin-1: accented letters and signs where no language has that many."""
    if count < 8 or text.isascii():
        return False
    odd = _LATIN_1.findall(text)
    return len(odd) > 0.4 * count and not (len(odd) >= _A_LIST and len(set(odd)) > _DISTINCT * len(odd))


_ASCII_SIGN = re.compile(r"[\x00-/:-@\[-`{-\x7f]")


def _is_symbols(text: str) -> bool:
    """Mostly punctuation: glyph numbers of a small font taken for ASCII. Rules and leaders of one sign do not count."""
    signs = re.sub(r"(.)\1+", r"\1", "".join(text.split()))
    return len(signs) >= 40 and len(_ASCII_SIGN.findall(signs)) > 0.5 * len(signs)


_HAN = re.compile("[㐀-鿿\U00020000-\U0003ffff]")


def _is_rare_han(text: str) -> bool:
    han = _HAN.findall(text)
    if len(han) < _LEAST_HAN:
        return False
    rare = sum(not _is_common_han(char) for char in han)
    return rare > (_RARE_SHARE if len(han) >= 20 else 0.6) * len(han)


@functools.lru_cache(maxsize=8192)
def _is_common_han(char: str) -> bool:
    """Whether the first, frequent level of a Chinese or Japanese standard has it."""
    for encoding, first, last in (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("euc_jp", 0xB0, 0xCF)):
        try:
            code = char.encode(encoding)
        except UnicodeEncodeError:
            continue
        if len(code) == 2 and first <= code[0] <= last:
            return True
    return False


def _is_no_language(text: str) -> bool:
    words = " ".join(word for word in text.split() if len(word) > _ABBREVIATION or not word.isupper())
    counts = collections.Counter(unicodedata.normalize("NFD", words).casefold().replace("ё", "е"))
    return _is_unlikely(counts, _LATIN, _LATIN_VOWELS) or _is_unlikely(counts, _CYRILLIC, _CYRILLIC_VOWELS)


def _is_unlikely(counts: collections.Counter[str], table: dict[str, int], vowels: frozenset[str]) -> bool:
    """Whether letters are as frequent as in no language: mean surprise in nats, and the share of vowels.

    Twenty languages measured lie at 2.7 to 3.25 with 0.33 to 0.54 vowels; wrong maps at 3.4 and more, or far off in vowels.
    """
    total = sum(counts[letter] for letter in table)
    if total < _FEW_LETTERS:
        return False
    surprise = -sum(counts[letter] * log(weight / 1000) for letter, weight in table.items()) / total
    share = sum(counts[vowel] for vowel in vowels) / total
    if total < _LEAST_LETTERS:
        return surprise > 3.5 and share < 0.25
    return surprise > 3.38 or not 0.25 < share < 0.65


_ALPHABETS = tuple(
    re.compile(f"[{letters}]") for letters in ("A-Za-z", "А-яЁё", "Α-Ωα-ω", "؀-ۿ֐-׿", "\u0e00-\u0e7f\u0900-\u0dff")
)
_SIGN_INSIDE = re.compile("[A-Za-zÀ-ɏ\u0400-\u04ff][¡-¦¨©¬®-¯±-¶¸-º¼-¿×÷\u2500-\u25ff]+[A-Za-zÀ-ɏ\u0400-\u04ff]")


def _is_mixed(text: str) -> bool:
    """Words of several alphabets at once, or with signs between letters. Ideographs beside Latin letters are usual."""
    words = [word for word in text.split() if len(word) >= 4]
    if len(words) < 8:
        return False
    mixed = sum(_is_mixed_word(word) for word in words if not word.isascii())
    return mixed > 0.3 * len(words)


def _is_mixed_word(word: str) -> bool:
    return sum(alphabet.search(word) is not None for alphabet in _ALPHABETS) > 1 or _SIGN_INSIDE.search(word) is not None


_CYRILLIC_LETTER = re.compile("[\u0400-\u04ff]")
_RARE_CYRILLIC = re.compile("[\u0400-\u040f\u0450-\u04ff]")


def _is_rare_cyrillic(text: str) -> bool:
    """Letters beyond the Russian alphabet; languages that use them have them in every sixth place at most."""
    count = len(_CYRILLIC_LETTER.findall(text.replace("Ё", "").replace("ё", "")))
    return count >= 8 and len(_RARE_CYRILLIC.findall(text)) > 0.4 * count
