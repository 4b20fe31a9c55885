"""Job family: the direction a resume is sorted by, from the titles of its jobs and the position it asks for.

Families are data (`words/<language>/families.txt`). Where two are about as likely none
is set: both are kept as alternatives, and the document carries a warning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from ingest.fields.document import Document
from ingest.fields.draft import Draft, Value
from ingest.fields.words import fold, keys

AMBIGUOUS = "job_family_ambiguous"
"""Warning: two families are about as likely, so that none is set."""
_PATH = "meta.gleaner.jobFamily"
_CLEAR = 1.4
"""How many times the score of the next family the first must have."""
_HAN = re.compile(r"[㐀-鿿]")
_WORDS = re.compile(r"[^\W_]+(?:[+#.-]+[^\W_]*)*")


def find(document: Document, draft: Draft) -> None:
    """Fill `meta.gleaner.jobFamily` from the label and the positions; recent jobs count for more."""
    del document
    scores: dict[str, float] = defaultdict(float)
    sources: dict[str, list[str]] = defaultdict(list)
    profile = draft.profile
    titles = [("basics.label", profile.basics.label, 3.0)]
    titles += [(f"work[{index}].position", job.position, 2.0 / (index + 1)) for index, job in enumerate(profile.work)]
    for path, title, weight in titles:
        for family, share in families_of(title or "").items():
            scores[family] += weight * share
            sources[family].append(path)
    ranked = sorted(scores, key=lambda family: (-scores[family], family))
    if not ranked:
        return
    best, total = ranked[0], sum(scores.values())
    if len(ranked) > 1 and scores[best] < _CLEAR * scores[ranked[1]]:
        draft.warnings.append(AMBIGUOUS)
        draft.alternatives[_PATH] = [Value(family, scores[family] / total, 1, quote=family) for family in ranked[:2]]
        return
    profile.meta.gleaner.jobFamily = best
    draft.derive(_PATH, sources[best], min(0.95, scores[best] / total))


@cache
def families_of(title: str) -> dict[str, float]:
    """The families a title points to with their shares, which add up to 1; longer phrases count for more."""
    folded = fold(title)
    tokens = _WORDS.findall(folded)
    parts = [half for token in tokens if "-" in token for half in token.split("-")]
    padded = f" {' '.join([*tokens, *parts])} "
    found: dict[str, float] = defaultdict(float)
    for phrase, family in keys("families").items():
        if (phrase in folded) if _HAN.search(phrase) else (f" {phrase} " in padded):
            found[family] = max(
                found[family], float(len(phrase) if _HAN.search(phrase) else 1 + phrase.count(" ") + phrase.count("-"))
            )
    total = sum(found.values())
    return {family: score / total for family, score in found.items()}
