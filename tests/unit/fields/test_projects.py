"""Projects, certificates and awards, from their own sections only."""

from __future__ import annotations

from ingest.fields import certificates, projects
from ingest.fields.document import Document
from ingest.fields.draft import Draft, Hints
from resumes.profile import leaf_paths
from tests.unit.fields.entry_pages import AS_OF, page_of


def read(text: str) -> Draft:
    draft = Draft()
    document = Document([page_of(text)], Hints(as_of=AS_OF))
    projects.find(document, draft)
    certificates.find(document, draft)
    return draft


def test_projects_have_names_dates_and_descriptions() -> None:
    draft = read("Projects\nInventory Service\tJan 2020 – Mar 2021\n• Wrote the store\nTide Tables\t2019 – 2020\n• Drew charts")
    assert [(one.name, one.startDate, one.endDate, one.highlights) for one in draft.profile.projects] == [
        ("Inventory Service", "2020-01", "2021-03", ["Wrote the store"]),
        ("Tide Tables", "2019", "2020", ["Drew charts"]),
    ]


def test_certificates_have_the_printed_date_or_none() -> None:
    draft = read("Certificates\nFirst Aid at Work (2019)\nForklift Licence\nSkills\nPatience")
    assert [(one.name, one.date) for one in draft.profile.certificates] == [
        ("First Aid at Work", "2019"),
        ("Forklift Licence", None),
    ]


def test_awards_are_no_certificates() -> None:
    draft = read("获奖情况\n2019年 优秀员工\n证书\n教师资格证 2018年6月")
    assert [(one.title, one.date) for one in draft.profile.awards] == [("优秀员工", "2019")]
    assert [(one.name, one.date) for one in draft.profile.certificates] == [("教师资格证", "2018-06")]


def test_every_value_has_evidence() -> None:
    draft = read("Projects\nTide Tables\t2019 – 2020\n• Drew charts\nCertificates\nFirst Aid (2019)\nAwards\nBest Chart, 2020")
    leaves = {path for path, _ in leaf_paths(draft.profile.to_json()) if not path.startswith("meta")}
    assert set(draft.evidence) == leaves
    assert len(leaves) == 8
