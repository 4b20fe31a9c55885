"""Which channels read a page, in which order: by ability on this machine and by measured quality per script."""

from __future__ import annotations

from collections.abc import Collection

from ingest.ocr import Script, engine


def channels_for(scripts: Collection[Script], configured: tuple[str, ...]) -> tuple[str, ...]:
    """The configured channels that can run here, those that read all of `scripts` first; order else as configured."""
    abilities = {name: engine(name).ability() for name in configured}
    usable = [name for name in configured if abilities[name].available]
    wanted = frozenset(scripts)
    return tuple(sorted(usable, key=lambda name: not wanted <= abilities[name].scripts))
