"""python -m benchmarks [NAME …]: the benchmarks by name, see BENCHMARKS; without one those of `make bench`."""

from __future__ import annotations

import sys

from benchmarks import (
    accuracy,
    batches,
    extraction,
    fields_cost,
    model,
    ocr_children,
    ocr_engines,
    ocr_fields,
    overhead,
    review,
    scrape,
    uploads,
)

BENCHMARKS = {
    "accuracy": accuracy.main,
    "extraction": extraction.main,
    "fields_cost": fields_cost.main,
    "ocr_fields": ocr_fields.main,
    "ocr_engines": ocr_engines.main,
    "ocr_children": ocr_children.main,
    "model": model.main,
    "overhead": overhead.main,
    "scrape": scrape.main,
    "batches": batches.main,
    "uploads": uploads.main,
    "review": review.main,
}


def main() -> int:
    names = sys.argv[1:] or ["accuracy", "extraction", "fields_cost"]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.stderr.write(f"Unknown: {', '.join(unknown)}. There are: {', '.join(BENCHMARKS)}.\n")
        return 2
    return max(BENCHMARKS[name]() for name in names)


if __name__ == "__main__":
    sys.exit(main())
