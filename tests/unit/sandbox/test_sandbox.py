"""The sandbox survives everything a file can do to its child, and the caller learns in time what happened."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ingest.sandbox import Sandbox, SandboxCrash, confine
from ingest.sandbox import pool as pool_module
from resumes.taxonomy import ResumeError

DISASTERS = "tests.unit.sandbox.disasters"
ROOT = Path(__file__).resolve().parents[3]
MIB = 1 << 20


@pytest.fixture
def sandbox():
    with Sandbox(memory_bytes=128 * MIB, module=DISASTERS) as box:
        yield box


def failure(sandbox, function, payload=None, *, deadline_s=10.0):
    with pytest.raises(ResumeError) as caught:
        sandbox.call(function, payload or {}, deadline_s=deadline_s)
    return caught.value.code


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in ("Z", "X")
    except OSError:
        return False


def ends_within(pid, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not is_running(pid):
            return True
        threading.Event().wait(0.01)
    return False


def test_the_child_is_reused_from_call_to_call(sandbox):
    sandbox.call("echo", {}, deadline_s=10)
    first = sandbox.pid
    assert sandbox.call("echo", {"text": "Zoë 张伟 \ud800"}, deadline_s=10) == {"text": "Zoë 张伟 \ud800"}
    assert sandbox.pid == first


def test_a_small_call_costs_well_under_a_millisecond_and_a_half(sandbox):
    sandbox.call("echo", {}, deadline_s=10)
    costs = []
    for _ in range(100):
        begin = time.perf_counter()
        sandbox.call("echo", {}, deadline_s=10)
        costs.append(time.perf_counter() - begin)
    assert sorted(costs)[50] < 0.0015


@pytest.mark.parametrize("function", ["hang", "hang_in_c"])
def test_a_call_ends_at_its_deadline_whatever_the_child_does(sandbox, function):
    sandbox.call("echo", {}, deadline_s=10)
    begin = time.monotonic()
    assert failure(sandbox, function, deadline_s=0.3) == "timeout"
    assert 0.25 < time.monotonic() - begin < 2
    assert sandbox.call("echo", {"again": True}, deadline_s=10) == {"again": True}


def test_a_child_that_does_not_read_its_request_is_killed_at_the_deadline(sandbox):
    sandbox.call("echo", {}, deadline_s=10)
    os.kill(sandbox.pid, signal.SIGSTOP)
    assert failure(sandbox, "echo", {"text": "x" * MIB}, deadline_s=0.3) == "timeout"


def test_programs_the_child_started_die_with_it(sandbox):
    with sandbox.folder() as folder:
        assert failure(sandbox, "hang_with_help", {"pid_file": str(folder / "pid")}, deadline_s=0.5) == "timeout"
        helper = int((folder / "pid").read_text())
    assert ends_within(helper, 5)


@pytest.mark.parametrize(("then", "code"), [("hang", "timeout"), ("die", "worker_lost"), ("return", None)])
def test_a_daemon_the_child_left_behind_dies_with_it(sandbox, then, code):
    with sandbox.folder() as folder:
        payload = {"pid_file": str(folder / "pid"), "then": then}
        if code:
            assert failure(sandbox, "leave_daemon", payload, deadline_s=5.0) == code
        else:
            assert sandbox.call("leave_daemon", payload, deadline_s=10) == "done"
        daemon = int((folder / "pid").read_text())
    if confine.CALLS not in sandbox.isolation:
        pytest.skip("this kernel grants no filter of system calls")
    assert ends_within(daemon, 5)


def test_a_program_that_still_runs_after_its_call_is_not_there_for_the_next(sandbox):
    helper = sandbox.call("leave_helper", {}, deadline_s=10)
    assert ends_within(helper, 5)
    assert sandbox.call("echo", {"next": "file"}, deadline_s=10) == {"next": "file"}


def test_a_child_that_starts_programs_without_end_is_stopped(sandbox, monkeypatch):
    monkeypatch.setattr("ingest.sandbox.MOST_PROCESSES", 8)
    assert failure(sandbox, "start_many", {"number": 20}) == "out_of_memory"


def test_a_child_that_fills_the_disk_is_stopped_and_its_files_are_gone(sandbox, monkeypatch):
    monkeypatch.setattr("ingest.sandbox.MOST_SCRATCH_BYTES", 50 * MIB)
    with sandbox.folder() as folder:
        scratch = folder.parent
    assert failure(sandbox, "fill_scratch", deadline_s=30.0) == "out_of_memory"
    assert not list(scratch.rglob("part*"))


def test_the_child_can_change_no_file_it_may_only_read(sandbox, tmp_path):
    path = tmp_path / "file"
    path.write_text("there")
    path.chmod(0o600)
    before = path.stat()
    worked = sandbox.call("change", {"path": str(path)}, deadline_s=10)
    if confine.CALLS not in sandbox.isolation:
        pytest.skip("this kernel grants no filter of system calls")
    assert worked == 0
    after = path.stat()
    assert (after.st_mode, after.st_mtime, after.st_ctime) == (before.st_mode, before.st_mtime, before.st_ctime)


@pytest.mark.parametrize("function", ["eat_memory", "eat_memory_by_helper", "ask_for_too_much"])
def test_a_child_that_eats_memory_is_stopped(sandbox, function):
    assert failure(sandbox, function) == "out_of_memory"
    assert sandbox.call("echo", {"again": True}, deadline_s=10) == {"again": True}


@pytest.mark.parametrize(
    ("function", "payload"),
    [("die", {"signal": "SIGKILL"}), ("die", {"signal": "SIGTERM"}), ("read_nowhere", {}), ("leave", {})],
)
def test_a_child_that_dies_is_reported_and_replaced(sandbox, function, payload):
    assert failure(sandbox, function, payload) == "worker_lost"
    assert sandbox.call("echo", {"again": True}, deadline_s=10) == {"again": True}


def test_what_libraries_print_cannot_disturb_the_answers(sandbox):
    assert sandbox.call("print_garbage", {}, deadline_s=10) == "clean"
    assert sandbox.call("read_input", {}, deadline_s=10) == ""
    assert sandbox.call("echo", {"still": "here"}, deadline_s=10) == {"still": "here"}


def test_large_answers_arrive_whole_and_huge_ones_are_refused(sandbox, monkeypatch):
    assert len(sandbox.call("answer_hugely", {"characters": 5 * MIB}, deadline_s=10)) == 5 * MIB
    monkeypatch.setattr("ingest.sandbox.frames.MAX_FRAME_BYTES", MIB)
    assert failure(sandbox, "answer_hugely", {"characters": 5 * MIB}) == "out_of_memory"
    assert sandbox.call("echo", {"again": True}, deadline_s=10) == {"again": True}


def test_a_classified_failure_travels_with_code_detail_and_channel(sandbox):
    with pytest.raises(ResumeError) as caught:
        sandbox.call("fail", {}, deadline_s=10)
    assert (caught.value.code, caught.value.detail, caught.value.channel) == ("corrupt", "no cross-reference table", "reader")


def test_a_bug_is_told_by_type_and_place_without_the_documents_words(sandbox):
    with pytest.raises(SandboxCrash) as caught:
        sandbox.call("fail_by_a_bug", {"secret": "Ada Example"}, deadline_s=10)
    assert caught.value.error_type == "ValueError from KeyError"
    assert any("disasters.py" in place for place in caught.value.trace)
    assert "Ada" not in str(caught.value)
    pid = sandbox.pid
    sandbox.call("echo", {}, deadline_s=10)
    assert sandbox.pid == pid


def test_only_the_allow_list_can_be_called(sandbox):
    with pytest.raises(SandboxCrash) as caught:
        sandbox.call("os.system", {}, deadline_s=10)
    assert caught.value.error_type == "KeyError"


def test_an_answer_without_a_json_form_is_a_bug(sandbox):
    with pytest.raises(SandboxCrash):
        sandbox.call("answer_nonsense", {}, deadline_s=10)


def test_the_child_sees_none_of_the_workers_secrets(sandbox, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "do not tell")
    seen = sandbox.call("environment", {}, deadline_s=10)
    assert "SECRET_KEY" not in seen
    assert seen["OMP_NUM_THREADS"] == "1"


def test_nothing_in_the_child_reaches_the_network(sandbox):
    sandbox.call("echo", {}, deadline_s=10)
    if confine.NETWORK not in sandbox.isolation:
        pytest.skip("this kernel grants no way to forbid the network")
    listener = socket.socket()
    with listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        outcome = sandbox.call("connect", {"port": listener.getsockname()[1]}, deadline_s=10)
    assert outcome != "connected"


def test_the_child_writes_to_its_scratch_folder_only(sandbox, tmp_path):
    with sandbox.folder() as folder:
        assert sandbox.call("write", {"path": str(folder / "file")}, deadline_s=10) == "written"
        assert (folder / "file").read_text() == "written"
    assert not folder.exists()
    if confine.WRITES not in sandbox.isolation:
        pytest.skip("this kernel has no Landlock")
    assert sandbox.call("write", {"path": str(tmp_path / "file")}, deadline_s=10) == "PermissionError"


def test_the_child_is_recycled_after_its_share_of_calls():
    with Sandbox(memory_bytes=128 * MIB, module=DISASTERS, max_calls=2) as sandbox:
        pids = []
        for _ in range(4):
            sandbox.call("echo", {}, deadline_s=10)
            pids.append(sandbox.pid)
        assert pids[1] is pids[3] is None
        assert pids[0] != pids[2]


def test_a_child_that_keeps_much_memory_is_recycled(sandbox):
    sandbox.call("keep_memory", {"bytes": 10 * MIB}, deadline_s=10)
    assert sandbox.pid is not None
    sandbox.call("keep_memory", {"bytes": 80 * MIB}, deadline_s=10)
    assert sandbox.pid is None


def test_closing_leaves_neither_process_nor_folder():
    sandbox = Sandbox(memory_bytes=128 * MIB, module=DISASTERS)
    sandbox.call("echo", {}, deadline_s=10)
    pid = sandbox.pid
    with sandbox.folder() as folder:
        scratch = folder.parent
    sandbox.close()
    assert not is_running(pid)
    assert not scratch.exists()


def test_a_forgotten_sandbox_ends_its_child():
    sandbox = Sandbox(memory_bytes=128 * MIB, module=DISASTERS)
    sandbox.call("echo", {}, deadline_s=10)
    pid = sandbox.pid
    del sandbox
    assert not is_running(pid)


def test_an_exception_from_outside_ends_the_call_and_the_child(sandbox):
    class SoftTimeLimitError(Exception):
        pass

    def interrupt(number, frame):
        raise SoftTimeLimitError

    sandbox.call("echo", {}, deadline_s=10)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(SoftTimeLimitError):
            sandbox.call("hang", {}, deadline_s=30)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert sandbox.call("echo", {"own": "answer"}, deadline_s=10) == {"own": "answer"}


PARENT = f"""
import threading
from ingest.sandbox import Sandbox
box = Sandbox(memory_bytes=1 << 28, module={DISASTERS!r})
threading.Thread(target=lambda: box.call("echo", {{}}, deadline_s=10)).start()
while box.pid is None or not box.isolation: pass
box.call("echo", {{}}, deadline_s=10)
with box.folder() as folder:
    print(box.pid, folder / "pid", flush=True)
    box.call("hang_with_help", {{"pid_file": str(folder / "pid")}}, deadline_s=100)
"""


def test_the_child_and_its_programs_die_with_a_killed_parent_but_not_with_the_thread_that_started_it():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, cwd=ROOT) as parent:
        pid, pid_file = parent.stdout.readline().split()
        until = time.monotonic() + 10
        while not (Path(os.fsdecode(pid_file)).exists() and Path(os.fsdecode(pid_file)).read_text()):
            assert time.monotonic() < until
        helper = int(Path(os.fsdecode(pid_file)).read_text())
        assert is_running(int(pid))
        assert is_running(helper)
        parent.kill()
    assert ends_within(int(pid), 5)
    assert ends_within(helper, 5)
    shutil.rmtree(Path(os.fsdecode(pid_file)).parents[1])


def test_a_forked_process_makes_its_own_child_and_leaves_the_parents_alone(sandbox):
    sandbox.call("echo", {}, deadline_s=10)
    pid = sandbox.pid
    reader, writer = os.pipe()
    fork = os.fork()
    if fork == 0:
        status = 1
        try:
            sandbox.call("echo", {}, deadline_s=10)
            os.write(writer, str(sandbox.pid).encode())
            sandbox.close()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(fork, 0)[1] == 0
    assert int(os.read(reader, 20)) != pid
    os.close(reader)
    os.close(writer)
    sandbox.call("echo", {}, deadline_s=10)
    assert sandbox.pid == pid


def test_calls_of_several_threads_take_turns(sandbox):
    answers = {}

    def ask(number):
        answers[number] = sandbox.call("echo", {"number": number}, deadline_s=10)["number"]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: number for number in range(8)}


def test_each_thread_has_a_sandbox_of_each_kind():
    mine = pool_module.sandbox_for("reader")
    assert pool_module.sandbox_for("reader") is mine
    assert pool_module.sandbox_for("ocr") is not mine
    others = []
    thread = threading.Thread(target=lambda: others.append(pool_module.sandbox_for("reader")))
    thread.start()
    thread.join()
    assert others[0] is not mine
    pool_module.close_sandboxes()
    assert pool_module.sandbox_for("reader") is not mine
    pool_module.close_sandboxes()
