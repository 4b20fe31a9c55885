"""Mutated files for the readers: `python -m tests.fuzz`, or `make fuzz`. Outside the suite, for it takes minutes."""
