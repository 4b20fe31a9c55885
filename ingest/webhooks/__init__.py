"""Webhooks: systems outside are told what has happened, signed and until they have heard it.

An event is a row for each endpoint that wants it, written with the change it speaks of (`events`); rows that are due are
sent (`sending`), signed as Standard Webhooks ask (`signing`), to addresses that may be reached (`resumes.targets`).
"""
