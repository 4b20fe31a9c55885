import sys
from types import ModuleType

import pytest
from django.db import OperationalError

from ingest.failures import Failure, classify
from resumes.files import storage_faults
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


@pytest.fixture
def bucket(monkeypatch):
    """The two exceptions from which all of a bucket's client descend, as its documentation shapes them."""

    class ClientError(Exception):
        def __init__(self, status: int) -> None:
            super().__init__("An error occurred when calling the GetObject operation")
            self.response = {"Error": {"Code": "Some"}, "ResponseMetadata": {"HTTPStatusCode": status}}

    class BotoCoreError(Exception):
        pass

    module = ModuleType("botocore.exceptions")
    module.ClientError, module.BotoCoreError = ClientError, BotoCoreError
    monkeypatch.setitem(sys.modules, "botocore.exceptions", module)
    return module


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (403, "storage_denied"),
        (404, "storage_denied"),
        (429, "rate_limited"),
        (500, "dependency_unavailable"),
        (503, "dependency_unavailable"),
    ],
)
def test_what_a_bucket_answers_is_a_refusal_or_a_passing_fault(bucket, status, code):
    with pytest.raises(ResumeError) as caught, storage_faults():
        raise bucket.ClientError(status)
    assert (caught.value.code, caught.value.channel) == (code, "storage")


def test_a_bucket_that_does_not_answer_may_do_so_later_and_one_without_credentials_may_not(bucket):
    class NoCredentialsError(bucket.BotoCoreError):
        pass

    for error, code in ((bucket.BotoCoreError("timed out"), "dependency_unavailable"), (NoCredentialsError(), "storage_denied")):
        with pytest.raises(ResumeError, match=code), storage_faults():
            raise error


def test_a_bug_in_the_block_is_no_fault_of_the_storage():
    with pytest.raises(ZeroDivisionError), storage_faults():
        raise ZeroDivisionError


def test_the_contract_shape_has_four_keys():
    assert set(Failure.of("corrupt").to_json()) == {"class", "code", "message", "retryable"}
