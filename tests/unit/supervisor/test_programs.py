"""The processes of an installation: every queue has a consumer, no more work than cores, secrets stay off command lines."""

from __future__ import annotations

import pytest

from ingest.supervisor import ports, programs


def _option(program: programs.Program, name: str) -> str:
    return program.argv[program.argv.index(name) + 1]


@pytest.mark.parametrize("cores", [1, 2, 4, 16])
def test_every_queue_has_exactly_one_group_of_workers(settings, cores):
    queues = [queue for worker in programs.workers(cores) for queue in _option(worker, "--queues").split(",")]
    assert sorted(queues) == sorted(settings.CELERY_TASK_QUEUES)


@pytest.mark.parametrize("cores", [2, 3, 4, 16])
def test_what_burns_cores_has_as_many_processes_as_there_are_cores(cores):
    burning = [worker for worker in programs.workers(cores) if worker.name != "worker-net"]
    assert sum(int(_option(worker, "--concurrency")) for worker in burning) == cores


def test_the_worker_that_waits_for_a_model_can_wait_for_several_answers(settings):
    settings.LLM_BASE_URL = "http://127.0.0.1:9/v1"
    net = next(worker for worker in programs.workers(2) if worker.name == "worker-net")
    assert int(_option(net, "--concurrency")) > 1


def test_the_password_of_flower_is_not_on_its_command_line(monkeypatch):
    monkeypatch.delenv("FLOWER_BASIC_AUTH", raising=False)
    flower = next(program for program in programs.services("open-sesame") if program.name == "flower")
    assert flower.env["FLOWER_BASIC_AUTH"] == "operator:open-sesame"
    assert not any("open-sesame" in word for word in flower.argv)


def test_a_sign_in_of_ones_own_for_flower_is_kept(monkeypatch):
    monkeypatch.setenv("FLOWER_BASIC_AUTH", "ops:own")
    flower = next(program for program in programs.services("open-sesame") if program.name == "flower")
    assert flower.env["FLOWER_BASIC_AUTH"] == "ops:own"


def test_names_of_programs_are_unique_and_stop_in_order():
    everything = [programs.web(), *programs.workers(2), *programs.services("x")]
    names = [program.name for program in everything]
    assert len(set(names)) == len(names)
    assert programs.Rank.WEB < programs.Rank.WORKER < programs.Rank.SERVICE < programs.Rank.BROKER


def test_a_port_somebody_listens_on_is_not_free():
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not ports.is_free(port)
    assert ports.is_free(port)
