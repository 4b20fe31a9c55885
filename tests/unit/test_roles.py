"""What the documentation says a role may do is what it may do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from resumes.roles import ALLOWED, Act, Role

pytestmark = pytest.mark.unit

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_table_of_the_documentation_is_the_one_the_code_goes_by():
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (yes|no) \| (yes|no) \| (yes|no) \|$", PAGE.read_text(), re.MULTILINE)
    told = {Act(act): {role for role, may in zip(Role, allowed, strict=True) if may == "yes"} for act, *allowed in rows}
    assert told == ALLOWED
