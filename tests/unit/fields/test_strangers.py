"""What a document says of strangers: an advertisement pasted into it, the addressee of a letter. None of it is the person's."""

from __future__ import annotations

import datetime as dt

import pytest

from ingest.fields import extract_fields
from ingest.fields.draft import Hints
from tests.unit.fields.entry_pages import page_of

RESUMES = {
    "en": """
Nora Quill
nora.quill@example.com
+44 7700 900123

Work experience
Bookkeeper, Madder Mills Ltd, March 2019 - present
- monthly closing

Education
BA History, University of Northmoor, 2012 - 2015

Skills
Xero, Sage
""",
    "ru": """
Клюквина Мария Петровна
mklukva@example.ru
8 916 123-45-67

Опыт работы
март 2019 - по настоящее время
ООО «Морошка»
Бухгалтер

Образование
Морошковский государственный университет, экономика, бакалавр, 2012-2016

Навыки
1С, Excel
""",
    "zh": """
林知远
电话：13900007716
邮箱：lin.zhiyuan@example.org

工作经历
2019.03 - 至今  青屿云图科技有限公司  会计

教育背景
2012.09 - 2016.06  临江大学  会计学  本科

专业技能
用友、Excel
""",
}
ADVERTS = {
    "announced": """
Job description
Senior Java Developer - Quilner Systems GmbH
We are looking for an experienced developer to join our team.
Required skills: Java, Spring, Docker
We offer: 30 days of holiday, free coffee
Apply now: jobs@quilner.example, +49 30 23125842
""",
    "by its words alone": """
Java Developer (m/f/d), Quilner Systems GmbH
Quilner is looking for a developer who likes Java.
- 5+ years of Java, Spring Boot, Kubernetes
What we offer:
- a bicycle
""",
    "Russian": """
Вакансия: Ведущий Java-разработчик
ООО «Лихие сети»
Обязанности:
- разработка микросервисов
Требования:
- Java, Spring, Kafka
Мы предлагаем:
- ДМС, удалённую работу
Отклик на job@seti.example
""",
    "Chinese": """
招聘信息
岗位名称：高级Java工程师
岗位职责：
1. 负责后台开发
任职要求：
1. 熟悉 Java、Spring、MySQL
薪资范围：20-30K
联系邮箱：zhaopin2@yuanshan.example
""",
}


def read(text: str):
    return extract_fields([page_of(text)], Hints(as_of=dt.date(2026, 11, 15)))


@pytest.mark.parametrize("language", RESUMES)
@pytest.mark.parametrize("advert", ADVERTS)
def test_an_advertisement_below_a_resume_changes_nothing(language: str, advert: str) -> None:
    alone = read(RESUMES[language])
    assert read(RESUMES[language] + ADVERTS[advert]).profile == alone.profile


@pytest.mark.parametrize(("language", "title"), [("en", "Curriculum Vitae"), ("ru", "РЕЗЮМЕ"), ("zh", "个人简历"), ("en", "")])
@pytest.mark.parametrize("advert", ADVERTS)
def test_an_advertisement_above_a_resume_changes_nothing(language: str, title: str, advert: str) -> None:
    alone = read(f"{title}\n{RESUMES[language]}")
    assert read(f"{ADVERTS[advert]}\n{title}\n{RESUMES[language]}").profile == alone.profile


@pytest.mark.parametrize(
    "text",
    [
        "Experience\nRecruiter, Madder Mills Ltd, 2019 - 2022\nJob description: wrote adverts, requirements\n- Java team",
        "Experience\nBuyer, Madder Mills Ltd, 2019 - 2022\nResponsibilities:\n- what we offer to clients\nRequirements: analysed",
        "Опыт работы\nООО «Морошка», рекрутер, 2019 - 2022\nОбязанности:\n- вакансии\nУсловия: удалённо",
        "工作经历\n2019.03 - 2022.05 青屿云图科技有限公司 招聘专员\n岗位职责：\n- 招聘",
    ],
)
def test_what_a_job_says_of_itself_is_no_advertisement(text: str) -> None:
    (job,) = read(text).profile.work
    assert job.highlights


LETTERS = {
    "a block between the sender and the greeting": (
        """
Nora Quill
12 Marsh Lane, Northmoor
nora.quill@example.com
07700 900123

Mr. Peter Albright
Head of Recruitment
Madder Mills Ltd
p.albright@madder.example
14 March 2026

Dear Mr. Albright,
I am writing to apply for the post of Shift Supervisor.

Kind regards,
Nora Quill
""",
        ("Nora Quill", "nora.quill@example.com", "07700 900123"),
    ),
    "the addressee first": (
        """
Peter Albright
Hiring Manager
Madder Mills Ltd
p.albright@madder.example, +44 1632 960001

Dear Peter Albright,
I would like to join your night shift.

Sincerely,
Nora Quill
nora.quill@example.com
+44 7700 900123
""",
        ("Nora Quill", "nora.quill@example.com", "+44 7700 900123"),
    ),
    "to and from": (
        """
To: Dr. Helen Marsh, HR Director, Quilner Labs
h.marsh@quilner.example

From: Nora Quill
nora.quill@example.com, +44 7700 900123

Dear Dr. Marsh,
Please find my CV below.
Yours sincerely
Nora Quill
""",
        ("Nora Quill", "nora.quill@example.com", "+44 7700 900123"),
    ),
    "an application to a director": (
        """
Директору ООО «Морошка»
Петрову Ивану Сергеевичу
ivan.petrov@moroshka.example

от Клюквиной Марии Петровны
mklukva@example.ru, 8 916 123-45-67

Уважаемый Иван Сергеевич!
Прошу рассмотреть моё резюме.
С уважением,
Мария Клюквина
""",
        ("Мария Клюквина", "mklukva@example.ru", "8 916 123-45-67"),
    ),
    "a greeting in Chinese": (
        """
收件人：王建国经理
wangjg@yuanshan.example

尊敬的王经理：
您好！我叫林知远，电话13900007716，邮箱 lin.zhiyuan@example.org。
此致
敬礼
林知远
""",
        ("林知远", "lin.zhiyuan@example.org", "13900007716"),
    ),
}
_WORK = {
    "en": "\nWork experience\nPacker, Saffron Foods Ltd, March 2019 - present\n",
    "ru": "\nОпыт работы\nмарт 2019 - по настоящее время, ООО «Брусника», бухгалтер\n",
    "zh": "\n工作经历\n2019.03 - 至今  青屿云图科技有限公司  产品经理\n",
}


@pytest.mark.parametrize("letter", LETTERS)
def test_the_addressee_of_a_letter_is_not_the_person(letter: str) -> None:
    text, person = LETTERS[letter]
    language = "zh" if "王" in text else "ru" if "Уважаемый" in text else "en"
    basics = read(text + _WORK[language]).profile.basics
    assert (basics.name, basics.email, basics.phone) == person
    assert basics.label is None


def test_a_greeting_takes_nothing_from_its_only_sender() -> None:
    text = "Nora Quill\nnora.quill@example.com\n\nDear Sir or Madam,\nI am a packer.\n\nKind regards,\nNora Quill\n" + _WORK["en"]
    basics = read(text).profile.basics
    assert (basics.name, basics.email) == ("Nora Quill", "nora.quill@example.com")
