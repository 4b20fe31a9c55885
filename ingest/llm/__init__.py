"""The language model: asking it, and taking from its answer only what stands in the document.

`client` talks to the server, `prompt` says what is asked, `answer` is the shape of what comes back, `grounding` checks it
against the lines of the document, `merging` puts it beside what the rules found. The stage is `ingest.stages.structure`.
"""
