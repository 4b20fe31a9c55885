"""Persons: what a person's name looks like in Latin letters, Cyrillic and Chinese, and how it shows in addresses.

Says how name-like a text is. Whether it is *the* name follows from where it stands, which is `name`'s business.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from ingest.fields.headings import wording
from ingest.fields.words import fold, keys, phrases, simplified

_HAN = "\u3400-\u9fff"
_TOKEN = re.compile(r"(?:[^\W\d_]+(?:['’`‘.\-‐‑–](?=[^\W\d_]))?)+[.']?")
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "junior", "senior"})
_PATRONYMIC = re.compile(r"(?:ович|евич|ьич|ич|овна|евна|ична|инична)$")
_SURNAME = re.compile(
    r"(?:ов|ев|ин|ын|ова|ева|ина|ына|ский|ская|цкий|цкая|ской|цкой|их|ых|ко|ук|юк|ик|як|ян|дзе|швили|ич|ой|ая|ий|ец|ер|ан|ль|ов|ман|нн)$"
)
_NICKNAME = re.compile(r"(?:(?<=\s)|^)[(“\"„‘'«][^\W\d_][^\W\d_.'’ -]{1,18}[)”\"“’'»](?=\s+[^\W\d_])")
_GLUED_INITIAL = re.compile(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_]{2})")
_INITIAL = re.compile(r"^[^\W\d_]\.?$")
_INITIALS = re.compile(r"^(?:[A-ZА-ЯЁ]\.\s?-?){1,3}$")
_RESUME_OF = re.compile(
    r"^(?:(?:(?:hi|hello|hey)\W{1,3})?(?:i['’]m|i am|my name is)|(?:(?:привет|здравствуйте|добрый день)\W{1,3})?меня зовут|"
    r"(?:[你您]好\W{1,2})?我(?:叫|是)|本人(?=[\u3400-\u9fff]{2,4}$)|"
    r"curriculum\s+vitae|r[eé]sum[eé]|cv|резюме|анкета|个人简历|求职简历|简历|个人履历|应聘简历)\s*(?:of|for|соискателя|кандидата)?\s*"
    r"[-–—:|,·•]*\s*|\s*[-–—:|,·•]*\s*(?:的?(?:个人|求职|应聘)?(?:简历|履历表?)|['’]s\s+(?:resume|cv)|curriculum\s+vitae|r[eé]sum[eé]|\bcv|резюме)$",
    re.IGNORECASE,
)
_GREETING = re.compile(r"(?:hi|hello|hey|i\W|my|привет|здравствуйте|добрый|меня|[你您]好|我)", re.IGNORECASE)
_ADDRESSING = re.compile(r"^[\s,.]*((?:[^\W\d_]|[.-])+\.?)(?=[\s,])")


_TITLES_BEFORE = re.compile(
    r"^(?:(?:prof|dr|lic|mag|mgr|dipl|ing|iur|jur|phil|rer|nat|oec|pol|med|dent|vet|theol|habil|univ|hon|h\.\s?c|ir|drs)\."
    r"(?:[-\s]{0,2}(?:ing|inform|kfm|kffr|phys|math|chem|biol|ök|päd|psych|wirt|volksw|betriebsw)\.)?(?:\s?\((?:fh|tu|univ|ba)\.?\))?\s*)+(?=[^\W\d_]{2})",
    re.IGNORECASE,
)
"""Academic titles as German, Austrian, Swiss and Czech writers put them before their names: `Dr.-Ing.`, `Lic. iur.`"""
_HONORIFIC = re.compile(r"(?:先生|女士|小姐|医生|醫生|医师|醫師|老师|老師|博士|教授|律师|律師|同学|同學|同志)$")
_POST_NOMINAL = re.compile(r"^(?:[A-Z]{2,6}|[A-Z]{1,4}\([A-Z][a-z]{1,5}\))$")
_VOWEL = re.compile(r"[AEIOUY]")
_MOST_WORDS, _LONGEST_HAN = 6, 8


@dataclass(frozen=True, slots=True)
class Person:
    """A text read as a person's name: as it is to be output, where it stands in the text, how name-like it is (0 to 1)."""

    name: str
    start: int
    end: int
    likeness: float
    script: str
    """`han`, `cyrillic` or `latin`."""


@lru_cache(maxsize=1024)
def read_person(text: str, *, vouched: bool = False) -> Person | None:
    """The person a text names if it names one and says little else; None for headings, titles, places and the rest.

    `vouched`: something besides the text says that it is a name, so that a trade may be part of it (`Judge Parker`) and a
    Chinese one needs no surname of the list.
    """
    start, end = _stripped(text)
    core = text[start:end]
    plain = _NICKNAME.sub("", core)
    if not 2 <= len(plain) <= 60 or any(char.isdigit() or char in '@/\\#%&*=+<>{}_"!?;' for char in plain):
        return None
    if wording(core) is not None or not (wording(text) or "?").endswith("?"):
        return None
    if re.search(rf"[{_HAN}]", core):
        return _chinese(core, start, vouched=vouched)
    letters = [char for char in plain if char.isalpha()]
    if not letters:
        return None
    cyrillic = sum("\u0400" <= char <= "\u04ff" for char in letters)
    if cyrillic == len(letters):
        script = "cyrillic"
    elif cyrillic == 0:
        script = "latin"
    else:
        return None
    likeness = _alphabetic(_GLUED_INITIAL.sub(" ", plain), script, vouched=vouched)
    return Person(_GLUED_INITIAL.sub(" ", core), start, end, likeness, script) if likeness > 0 else None


def _stripped(text: str) -> tuple[int, int]:
    """The part of a text between `CV of`, forms of address and degrees."""
    start, end = 0, len(text)
    changed, greeted = True, False
    while changed and start < end:
        before = (start, end)
        for match in _RESUME_OF.finditer(text[start:end]):
            if match.group() and match.start() == 0 and match.end() < end - start:
                start += match.end()
                greeted = greeted or _GREETING.match(match.group()) is not None
                break
            if match.group() and match.end() == end - start and match.start() > 0:
                end = start + match.start()
                break
        if titles := _TITLES_BEFORE.match(text[start:end]):
            start += titles.end()
        opening = _ADDRESSING.match(text[start:end])
        # `Md.` is a given name in Bengal; doctors write MD.
        if opening and _is_credential(opening[1]) and len(opening[1]) > 1 and opening[1].rstrip(".") != "Md":
            start += opening.end()
        core = text[start:end]
        start += len(core) - len(core.lstrip(" ,.:-–—|·•*#>"))
        core = text[start:end]
        end = start + len(core.rstrip(" ,:-–—|·•*" + "." * greeted))
        end = _without_credentials(text, start, end)
        changed = (start, end) != before
    return start, end


def _without_credentials(text: str, start: int, end: int) -> int:
    """The end of the name before `, MBA`, `PhD`, `(she/her)`."""
    core = text[start:end]
    bracket = re.search(r"\s*[(\[（【][^)\]）】]{0,40}[)\]）】]?$", core)
    if bracket and bracket.start() > 1:
        return start + bracket.start()
    head, comma, tail = core.partition(",")
    if comma and head.strip() and tail.strip():
        pieces = [piece for piece in re.split(r"[\s,]+", tail.strip()) if piece]
        if all(
            _is_credential(piece) or (piece.isupper() and "." not in piece[:-1] and 2 <= len(piece) <= 8) for piece in pieces
        ) and (len(head.split()) > 1):
            return start + len(head.rstrip())
    last = core.rpartition(" ")[2]
    lettered = sum(char.isupper() for char in last) >= 2 or "." in last[:-1]
    # Letters without a vowel are no surname, whatever they stand for: `Jane Roe RGN`.
    stands_for = _is_credential(last) or (_POST_NOMINAL.match(last) and not _VOWEL.search(last))
    if (
        last != core
        and lettered
        and stands_for
        and fold(last) not in _SUFFIXES
        and core != core.upper()
        and len(core.split()) > 2
    ):
        return start + len(core) - len(last) - 1
    return end


def _is_credential(word: str) -> bool:
    return fold(word).replace(".", "") in phrases("credentials")


# -- alphabets ----------------------------------------------------------------------------------------------------


def _alphabetic(core: str, script: str, *, vouched: bool) -> float:
    """How name-like a text is that holds words and no more than one comma; 0 for anything else."""
    tokens = core.replace(",", " , ").split()
    comma = "," in tokens
    words = [word for word in tokens if word != ","]
    if core.count(",") > 1 or core.endswith(",") or not 1 <= len(words) <= _MOST_WORDS:
        return 0.0
    if not all(_TOKEN.fullmatch(word) or _INITIALS.match(word) for word in words):
        return 0.0
    full = [word for at, word in enumerate(words) if not _is_minor(word, opening=at == 0)]
    if not full or not all(_begins_large(word) for word in full) or _is_minor(words[-1], closing=True):
        return 0.0
    capitals = [word for word in full if len(word) > 1 and word.isupper()]
    if capitals and len(capitals) != sum(len(word) > 1 for word in full) and any(len(word) < 3 for word in capitals):
        return 0.0
    likeness = _likeness(fold(core), words, full, script, vouched=vouched)
    if likeness <= 0 or (comma and (script != "latin" or len(words) > 4)):
        return 0.0
    # `Wong Mei Ling, Carol`: a further given name behind a comma, as people in Hong Kong have.
    further = comma and len(words) > 2 and tokens[-2] == "," and fold(words[-1]) in phrases("given_names", "en")
    return min(likeness - 0.15 * (comma and not further), 1.0)


def _begins_large(word: str) -> bool:
    """Whether a word is written as names are: `Farsi`, `al-Farsi`, `d'Arc`."""
    return word[0].isupper() or re.match(r"(?:al|el|ad|as|an|ar|az|ul|d|l|o|de|van)[-'’][^\W\d_]", word) is not None


def _is_minor(word: str, *, opening: bool = False, closing: bool = False) -> bool:
    """Initials, particles, `Jr.`: parts of a name that do not make one; at its end initials and suffixes are fine."""
    bare = fold(word).rstrip(".")
    if closing:
        return word.islower() and bare in phrases("particles", "en")
    return (
        bool(_INITIAL.match(word) or _INITIALS.match(word))
        or (bare in _SUFFIXES and not opening)
        or (word.islower() and bare in phrases("particles"))
    )


def _likeness(whole: str, words: list[str], full: list[str], script: str, *, vouched: bool) -> float:
    bare = [fold(word).rstrip(".") for word in full]
    given = phrases("given_names", "en" if script == "latin" else "ru")
    known = sum(any(part in given for part in re.split(r"[-'’]", word)) for word in bare)
    places = [part.strip() for part in whole.split(",")] if "," in whole else [whole]
    if any(place in keys("cities") or place in keys("states") for place in places[1:]):
        return 0.0
    if whole in keys("cities") or whole in keys("countries") or label_word(whole):
        return 0.0
    stops = phrases("not_names")
    if any(word in stops for word in bare):
        return 0.0
    if len(words) == 1 and (_is_credential(words[0]) or (words[0].isupper() and len(words[0]) < 4)):
        return 0.0
    likeness = 0.5 if len(words) > 1 else 0.25
    likeness += 0.15 * min(known, 2) + 0.15 * any(_INITIALS.match(word) for word in words[1:])
    if script == "cyrillic":
        likeness += 0.3 * any(_PATRONYMIC.search(word) and len(word) > 5 for word in bare)
        likeness += 0.1 * any(_SURNAME.search(word) for word in bare)
        likeness -= 0.15 * (not known and not any(_PATRONYMIC.search(word) or _SURNAME.search(word) for word in bare))
    titles, employers = phrases("titles"), phrases("employers") | phrases("schools")
    jobs = sum(word in titles or any(part in titles for part in word.split("-")) for word in bare if word not in given)
    # `Emily Baker` is a name, `Senior Baker` is not.
    if jobs and not (vouched and len(full) > 1) and not _trade_as_surname(whole, words, bare, known=known > 0):
        return 0.0
    likeness -= 0.1 * jobs
    likeness -= 0.4 * any(word in employers for word in bare)
    likeness -= 0.15 * max(len(full) - 4, 0)
    return likeness


def _trade_as_surname(whole: str, words: list[str], bare: list[str], *, known: bool) -> bool:
    """Whether the one trade in a text is where a surname stands: last behind a known given name or an initial, first before
    a comma, anywhere beside a patronymic.
    """
    titles = phrases("titles") - phrases("given_names")
    if sum(word in titles for word in bare) == 1 and len(bare) > 2 and any(_PATRONYMIC.search(word) for word in bare):
        return known
    if "," in whole:
        return known and bare[0] in titles and not any(word in titles for word in bare[1:])
    last = next((word for word in (fold(word).rstrip(".") for word in reversed(words)) if word not in _SUFFIXES), "")
    if last not in phrases("titles") or any(word in titles for word in bare[:-1]):
        return False
    trade = last in phrases("surnames", "en") | phrases("surnames", "ru")
    return (known and len(bare) == 2) or (trade and (known or len(bare) < len(words) or len(bare) == 2))


def label_word(folded: str) -> bool:
    return folded in phrases("labels") or folded in phrases("skills")


# -- Chinese ------------------------------------------------------------------------------------------------------

_HAN_NAME = re.compile(rf"^[{_HAN}]{{2,4}}$")
_HAN_TOKENS = re.compile(rf"[{_HAN}]+")
_DOTTED = re.compile(rf"^[{_HAN}]{{1,8}}(?:[·•・][{_HAN}]{{1,8}}){{1,3}}$")


def _chinese(core: str, start: int, *, vouched: bool) -> Person | None:
    if _DOTTED.match(core):
        return Person(core, start, start + len(core), 0.75, "han")
    tokens = _HAN_TOKENS.findall(core)
    if not tokens or not core.startswith(tokens[0]):
        return None
    taken = _name_tokens(tokens)
    found = " ".join(tokens[:taken])
    tail = core[len(found) :].strip()
    if not core.startswith(found) or (tail and not re.match(r"^[A-Za-z(（男女]", tail)):
        return None
    name = found.replace(" ", "")
    if (honorific := _HONORIFIC.search(name)) is not None and honorific.start() > 1 and found.endswith(honorific.group()):
        name, found = name[: honorific.start()], found.removesuffix(honorific.group())
    if not 2 <= len(name) <= 4:
        made = 4 < len(name) <= _LONGEST_HAN and _made_of_parts(name)
        return Person(name, start, start + len(found), 0.7, "han") if made else None
    likeness = _chinese_likeness(name, vouched=vouched)
    return Person(name, start, start + len(found), likeness, "han") if likeness > 0 else None


def _name_tokens(tokens: list[str]) -> int:
    """How many of the words at the start are one name: `张伟`, `张 伟`, `王 小 明`, `欧阳 小明`; a gender ends it."""
    singles = 0
    while singles < min(len(tokens), 4) and len(tokens[singles]) == 1 and (singles == 0 or tokens[singles] not in "男女"):
        singles += 1
    if singles > 1:
        return singles
    apart = len(tokens) > 1 and simplified(tokens[0]) in keys("surnames") and len(tokens[1]) <= 2 and tokens[1] not in "男女"
    return 2 if apart else 1


def _made_of_parts(name: str) -> bool:
    """Whether a text consists of parts of names that Chinese takes from its neighbours, such as `额尔敦其木格`."""
    parts = phrases("given_names", "zh")
    return not name or any(name[:length] in parts and _made_of_parts(name[length:]) for length in (2, 3, 4))


def _chinese_likeness(name: str, *, vouched: bool) -> float:
    surnames, name = keys("surnames"), simplified(name)
    if name in phrases("not_names") or name in keys("cities") or name in keys("countries") or label_word(name) or wording(name):
        return 0.0
    if name.endswith(_no_name_ends()) or name[:2] in keys("cities") or name[:2] in phrases("not_names"):
        return 0.0
    parts = phrases("given_names", "zh")
    if name in parts or (name[:2] in parts and name[2:] in parts):
        return 0.8
    if name[:2] in parts or name[-2:] in parts:
        return 0.6
    compound = name[:2] in surnames
    if not compound and name[0] not in surnames:
        return 0.2 if len(name) == 3 or vouched else 0.0
    if compound:
        return 0.9 if 3 <= len(name) <= 4 else 0.0
    return {2: 0.75, 3: 0.85, 4: 0.35}[len(name)] if _HAN_NAME.match(name) else 0.0


@cache
def _no_name_ends() -> tuple[str, ...]:
    """What titles and organisations end with, as far as it is more than one character."""
    found = phrases("titles", "zh") | phrases("employers", "zh") | phrases("schools", "zh")
    return tuple(sorted(word for word in found if len(word) > 1))


# -- addresses ----------------------------------------------------------------------------------------------------

_LETTERS = dict(zip("абвгдезийклмнопрстуфэ", "abvgdeziyklmnoprstufe", strict=True)) | {
    "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "ю": "yu", "я": "ya",
}  # fmt: skip
_ALIKE = (
    ("kh", "h"),
    ("ts", "c"),
    ("yu", "u"),
    ("ju", "u"),
    ("ya", "a"),
    ("ja", "a"),
    ("iy", "y"),
    ("ey", "e"),
    ("y", "i"),
    ("j", "i"),
)


def latinised(word: str) -> str:
    """A word in plain small Latin letters, the ways of romanising Russian made one: `Михайлов` and `Mihailov` agree."""
    text = "".join(_LETTERS.get(char, char) for char in fold(word))
    text = "".join(char for char in unicodedata.normalize("NFKD", text) if char.isalnum() and char.isascii())
    for long, short in _ALIKE:
        text = text.replace(long, short)
    return text


def shows_in(name: str, address: str) -> float:
    """How well a name agrees with the local part of an address or a user name: 0 (not) to 1 (surname and given name)."""
    plain = latinised(address)
    if re.match(rf"[{_HAN}]", name):
        surnames, name = keys("surnames"), simplified(name)
        pinyin = surnames.get(name[:2]) or surnames.get(name[:1], "")
        return 0.6 if len(pinyin) > 1 and latinised(pinyin) in plain else 0.0
    found = [len(word) for word in (latinised(part) for part in re.split(r"[\s,-]+", name)) if len(word) > 2 and word in plain]
    return 1.0 if len(found) > 1 else 0.8 if found and max(found) > 3 else 0.5 if found else 0.0
