from __future__ import annotations

import pytest

from ingest import tasks
from resumes.models import Candidate, Match, OutboxMessage, Vacancy

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    return [
        Candidate.objects.create(email_key=f"{number}@example.org", name=name, city=city, years=years, skills=skills, label=label)
        for number, (name, label, city, years, skills) in enumerate(
            [
                ("Ada Quillfeather", "Software Engineer", "Leeds", 7.0, ["Python", "PostgreSQL"]),
                ("Борис Тестов", "Бухгалтер", "Пермь", 3.0, ["Бухгалтерия", "Excel"]),
                ("陈示例", "会计", "苏州", None, ["财务管理", "python"]),
            ]
        )
    ]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("skill=python", {"Ada Quillfeather", "陈示例"}),
        ("skill=Pyth", set()),
        ("skill=бухгалтерия", {"Борис Тестов"}),
        ("skill=财务管理", {"陈示例"}),
        ("min_years=5", {"Ada Quillfeather"}),
        ("search=ada+engineer", {"Ada Quillfeather"}),
        ("search=ada+accountant", set()),
        ("search=示例", {"陈示例"}),
        ("city=leeds", {"Ada Quillfeather"}),
        ("skill=python&min_years=1", {"Ada Quillfeather"}),
        ("skill=%25", set()),
    ],
)
def test_the_pool_is_searched(as_user, recruiter, pool, query, names):
    answer = as_user(recruiter).get(f"/api/v1/candidates/?{query}")
    assert answer.status_code == 200
    assert {row["name"] for row in answer.data["results"]} == names


def test_a_new_vacancy_is_matched_in_the_background(as_user, recruiter, pool, sent, django_capture_on_commit_callbacks):
    client = as_user(recruiter)
    with django_capture_on_commit_callbacks(execute=True):
        created = client.post(
            "/api/v1/vacancies/", {"title": "Software Engineer", "skills": ["Python"], "min_years": 3}, format="json"
        )
    assert created.status_code == 201
    assert [message.topic for message in sent] == ["ingest.match_vacancy"]
    assert tasks.match_vacancy(**sent[0].payload) == 3
    matches = client.get(f"/api/v1/vacancies/{created.data['id']}/matches/").data["results"]
    assert matches[0]["candidate"]["name"] == "Ada Quillfeather"
    assert matches[0]["score"] > matches[1]["score"]
    assert matches[0]["reasons"]["skills"]["found"] == ["Python"]


def test_a_changed_vacancy_is_matched_anew_and_a_deleted_one_is_forgotten(as_user, recruiter, pool):
    client = as_user(recruiter)
    vacancy = client.post("/api/v1/vacancies/", {"title": "Engineer"}, format="json").data
    client.patch(f"/api/v1/vacancies/{vacancy['id']}/", {"skills": ["Excel"]}, format="json")
    assert OutboxMessage.objects.filter(topic="ingest.match_vacancy").count() == 2
    tasks.match_vacancy(vacancy["id"])
    assert Match.objects.order_by("-score").first().candidate.name == "Борис Тестов"
    client.delete(f"/api/v1/vacancies/{vacancy['id']}/")
    assert not Match.objects.exists()
    assert tasks.match_vacancy(vacancy["id"]) == 0
    assert not Vacancy.objects.exists()


def test_lists_of_candidates_and_matches_cost_the_same_for_one_and_for_many(as_user, recruiter, pool, django_assert_num_queries):
    client = as_user(recruiter)
    vacancy = Vacancy.objects.create(title="Engineer", skills=["Python"], owner=recruiter)
    tasks.match_vacancy(str(vacancy.pk))
    client.get("/api/v1/candidates/")
    with django_assert_num_queries(1):
        client.get("/api/v1/candidates/")
    with django_assert_num_queries(2):
        assert len(client.get(f"/api/v1/vacancies/{vacancy.pk}/matches/").data["results"]) == 2
