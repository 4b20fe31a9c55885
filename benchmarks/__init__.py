"""Measurements. `make bench` runs accuracy and throughput; the others are run by name: `python -m benchmarks overhead`."""
