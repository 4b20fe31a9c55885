"""A real Chromium before a web server of the test's own. Debian's browser is driven; none is ever downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import Group
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from resumes import intake
from resumes.models import Resume
from resumes.roles import Role
from tests.integration.people import person, worked_off

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright runs a loop in this thread; the tests look into the database from it

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PATIENCE_MS = 60_000
expect.set_options(timeout=_PATIENCE_MS)


def chromium() -> str | None:
    """Where a Chromium is: `CHROMIUM` names one, else what the machine has."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip(f"no Chromium on this machine (looked for {', '.join(_NAMES)} and $CHROMIUM)")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """SQLite in a file: server and test look at it by connections of their own, as processes would. A database a worker."""
    database = django_settings.DATABASES["default"]
    if "sqlite" in database["ENGINE"]:
        database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("browser") / "test.sqlite3")


@pytest.fixture
def people(transactional_db: None) -> dict[str, object]:
    for role in Role:  # made by a migration, and gone with everything else when the test before this one was cleared away
        Group.objects.get_or_create(name=role.value)
    names = {"recruiter": "recruiter", "reviewer": "reviewer", "second": "reviewer", "operator": "operator", "admin": "admin"}
    return {name: person(name, role) for name, role in names.items()}


@pytest.fixture
def desk(browser: Browser, live_server: object, people: dict[str, object], settings: object, tmp_path: Path) -> Iterator[Desk]:
    settings.RESUMES_SENDER = "tests.integration.conftest.send"
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path / "files")}},
    }
    made = Desk(browser, live_server.url, people)
    yield made
    made.close()


class Desk:
    """Windows of people, each signed in; at the end none may have complained or asked another host for anything."""

    def __init__(self, browser: Browser, url: str, people: dict[str, object]) -> None:
        self.url, self.people = url, people
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self.expected: tuple[str, ...] = ()
        """Beginnings of complaints the test provokes (the browser notes every answer of 409)."""
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def window(self, who: str = "reviewer", language: str = "en", **options: object) -> Page:
        context = self._browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB", **options)
        context.set_default_timeout(_PATIENCE_MS)
        self._contexts.append(context)
        client = Client()
        client.force_login(self.people[who])
        cookies = {"sessionid": client.cookies["sessionid"].value, "django_language": language}
        context.add_cookies([{"name": name, "value": value, "url": self.url} for name, value in cookies.items()])
        context.route("**/*", self._only_here)
        page = context.new_page()
        page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _only_here(self, route: object) -> None:
        if route.request.url.startswith((self.url, "data:")):
            route.continue_()
        else:
            self.foreign.append(route.request.url)
            route.abort()

    def goto(self, page: Page, path: str) -> Page:
        page.goto(self.url + path)
        return page

    def next_case(self, page: Page) -> Page:
        """Press the button of the list and wait for the workbench."""
        self.goto(page, "/admin/review/case/")
        page.get_by_role("button", name="Start with the next case").click()
        return self.at_work(page)

    @staticmethod
    def at_work(page: Page) -> Page:
        """Wait until the workbench stands: its script has filled the form."""
        page.wait_for_url("**/work/")
        page.locator("#sections .heading").first.wait_for()
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        assert not self.foreign
        assert not [said for said in self.complaints if not said.startswith(self.expected or ("\0",))]


@pytest.fixture
def sample(desk: Desk) -> Callable[[str], Resume]:
    """Send one of the sample files and work it off."""

    def sample(name: str) -> Resume:
        with (SAMPLES / name).open("rb") as file:
            sender = intake.Sender(owner=desk.people["recruiter"], node="test")
            return worked_off(intake.receive(file, name, sender))

    return sample
