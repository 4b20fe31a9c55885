"""Serve a model over HTTP: `python serve.py WEIGHTS.gguf` with xllamacpp. Prints the address; ends when its input does."""

from __future__ import annotations

import sys

import xllamacpp

CONTEXT_TOKENS = 8192


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    # One thread that sleeps while it waits: several wait for each other by spinning, which on a busy machine costs more than
    # it brings.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
