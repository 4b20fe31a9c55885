import pytest
from django.db import OperationalError

from ingest.failures import Failure, classify
from resumes.taxonomy import CODES, ResumeError


@pytest.mark.parametrize("code", sorted(CODES))
def test_an_error_that_knows_its_code_keeps_it(code):
    failure = classify(ResumeError(code, "a detail", channel="rapidocr"))
    assert (failure.code, failure.detail, failure.channel) == (code, "a detail", "rapidocr")
    assert failure.retryable == CODES[code].retryable


@pytest.mark.parametrize("error", [FileNotFoundError(), PermissionError(), IsADirectoryError()])
def test_a_missing_or_forbidden_file_never_passes_by_itself(error):
    failure = classify(error)
    assert failure.code == "storage_denied"
    assert not failure.retryable


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TimeoutError(), "timeout"),
        (ConnectionResetError(), "dependency_unavailable"),
        (ConnectionRefusedError(), "dependency_unavailable"),
        (OSError("disk"), "dependency_unavailable"),
        (MemoryError(), "out_of_memory"),
        (OperationalError("server closed the connection"), "dependency_unavailable"),
    ],
)
def test_faults_that_may_pass_are_retryable(error, code):
    failure = classify(error)
    assert (failure.code, failure.retryable) == (code, True)


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyError("name"), RuntimeError("secret text"), RecursionError()])
def test_the_unknown_is_a_bug_of_ours_and_says_nothing_of_the_document(error):
    failure = classify(error)
    assert (failure.code, failure.is_bug) == ("internal_error", True)
    assert "secret" not in failure.detail


def test_the_contract_shape_has_four_keys():
    assert set(Failure.of("corrupt").to_json()) == {"class", "code", "message", "retryable"}
