"""Gleaner's settings with a storage that fails on demand."""

from settings.development import *  # noqa: F403 - as the settings themselves do

STORAGES["default"] = {  # noqa: F405
    "BACKEND": "tests.acceptance.faulty_storage.FaultyStorage",
    "OPTIONS": {"location": GLEANER_STORAGE},  # noqa: F405
}
