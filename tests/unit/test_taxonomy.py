import pytest

from resumes.taxonomy import CODES, CODES_BY_CLASS, FailureClass, ResumeError


def test_every_class_has_codes_and_every_code_one_class():
    assert sum(len(codes) for codes in CODES_BY_CLASS.values()) == len(CODES)
    assert all(CODES_BY_CLASS[cls] for cls in FailureClass)


def test_only_resource_failures_may_pass_by_themselves():
    assert {code.failure_class for code in CODES.values() if code.retryable} == {FailureClass.RESOURCE}


def test_every_message_is_one_sentence_with_advice():
    for code in CODES.values():
        assert code.message.endswith(".")
        assert code.advice.endswith(".")


def test_each_of_the_three_readers_is_told_something_of_their_own():
    for code in CODES.values():
        told = [code.advice, code.client, code.hint]
        assert all(text.endswith(".") for text in told)
        assert len({code.message, *told}) == 4


def test_an_unknown_code_cannot_be_raised():
    with pytest.raises(KeyError):
        ResumeError("no_such_code")
