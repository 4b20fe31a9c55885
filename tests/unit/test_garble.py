"""Garbled text: wrong maps are told from writing of any language, short of a list of words."""

from __future__ import annotations

import random

import pytest

from ingest.garble import garble_of

# The first article of the Universal Declaration of Human Rights.
WRITING = {
    "English": "All human beings are born free and equal in dignity and rights. They are endowed with reason and "
    "conscience and should act towards one another in a spirit of brotherhood.",
    "German": "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und "
    "sollen einander im Geist der Brüderlichkeit begegnen.",
    "French": "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de "
    "conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
    "Polish": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i "
    "sumieniem i powinni postępować wobec innych w duchu braterstwa.",
    "Welsh": "Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau. Fe'u cynysgaeddir â rheswm a "
    "chydwybod, a dylai pawb ymddwyn y naill at y llall mewn ysbryd cymodlon.",
    "Vietnamese": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con người đều được tạo hoá "
    "ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.",
    "Pinyin": "ren ren sheng er zi you zai zun yan he quan li shang yi lü ping deng ta men fu you li xing he liang xin bing ying",
    "Russian": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны "
    "поступать в отношении друг друга в духе братства.",
    "Ukrainian": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні "
    "діяти у відношенні один до одного в дусі братерства.",
    "Kazakh": "Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді.",
    "Chinese": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "traditional Chinese": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
    "Japanese": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "Korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "Arabic": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا",
    "abbreviations": "Kubernetes, PostgreSQL, MySQL, HTML5, CSS3, SQL, AWS, GCP, CI/CD, Git, REST, gRPC, XML, JSON, PHP, MVC, "
    "JWT, TDD, HTTP, VBA, SPSS, NLP, CNN, RNN, HDFS, JVM, Terraform, Jenkins, Docker, Kafka",
    "a table of letters": "àÀâÂäÄçÇéÉèÈêÊëËîÎïÏôÔùÙûÛüÜ",
    "a table of letters, spaced": "à À â Â ä Ä ç Ç é É è È ê Ê ë Ë î Î ï Ï ô Ô ù Ù û Û ü Ü 1",
    "leaders": "Experience ........................................ 3 Education ________________________ 5",
}


@pytest.mark.parametrize("language", WRITING)
def test_writing_is_not_garbled(language):
    assert garble_of([WRITING[language]]).share < 0.05


def _shifted(text: str, by: int) -> str:
    return "".join(chr(ord(char) + by) if char.isalpha() else char for char in text)


_WRONG = {
    "glyph numbers for letters": _shifted(WRITING["English"], -29),
    "letters three off": _shifted(WRITING["German"], 3),
    "Cyrillic letters five off": _shifted(WRITING["Russian"], 5),
    "ideographs a row off": _shifted(WRITING["Chinese"], 29),
    "Cyrillic as Latin-1": WRITING["Russian"].encode("cp1251").decode("latin-1"),
    "UTF-8 as a Cyrillic code page": WRITING["Russian"].encode().decode("cp1251", "replace"),
    "KOI8 as a Windows code page": WRITING["Russian"].encode("koi8-r").decode("cp1251"),
    "DOS as a Windows code page": WRITING["Russian"].encode("cp866").decode("cp1251", "replace"),
    "Cyrillic as Chinese": WRITING["Russian"].encode("cp1251").decode("gbk", "replace"),
    "Chinese as Latin-1": WRITING["Chinese"].encode("gbk").decode("latin-1"),
    "UTF-8 as Chinese": WRITING["Chinese"].encode().decode("gbk", "replace"),
    "replacement marks": "���� ��� " * 10,
    "private characters": "\ue123\ue131\ue140 \ue122\ue119 \ue123\ue150\ue101\ue119 " * 5,
    "signs": "!\"#$% &'()* +,-./ :;<=> ?@[\\] ^_`{| }~!#\" $&%'( *),+- /.;:= <?>@] [\\^`_",
}


@pytest.mark.parametrize("kind", _WRONG)
def test_a_wrong_map_is_garbled(kind):
    assert garble_of([_WRONG[kind]]).share > 0.5


def test_most_random_alphabets_are_found_out():
    chance = random.Random(1)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    found = 0
    for _ in range(200):
        shuffled = letters[:]
        chance.shuffle(shuffled)
        text = (
            WRITING[chance.choice(["English", "German", "French"])]
            .lower()
            .translate(str.maketrans("".join(letters), "".join(shuffled)))
        )
        found += garble_of([text]).share > 0.5
    assert found >= 180


def test_one_bad_font_does_not_make_the_others_bad():
    heading = WRITING["Russian"].encode("cp1251").decode("latin-1")[:40]
    body = WRITING["English"] * 3

    garble = garble_of([body, heading])

    assert 0 < garble.share < 0.2
    assert garble.bad == sum(not char.isspace() for char in heading)


def test_icons_between_words_are_no_damage():
    assert garble_of([WRITING["English"] + " \uf095 \uf0e0 \uf041 \uf005\uf005\uf005\uf005"]).share < 0.05


def test_no_text_is_not_garbled():
    assert garble_of([]).share == 0
    assert garble_of(["", " "]).share == 0
