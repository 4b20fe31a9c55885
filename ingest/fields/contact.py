"""Contact data: e-mail address, phone number, profiles and sites."""

from __future__ import annotations

from ingest.fields.document import Document
from ingest.fields.draft import Draft
from ingest.fields.emails import Address, find_addresses
from ingest.fields.links import Link, find_links
from ingest.fields.phones import Phone, find_phones
from ingest.fields.spans import value_of
from resumes.profile import WebProfile

_FAR = 0.2


def find(document: Document, draft: Draft) -> None:
    """Fill `basics.email`, `basics.phone`, `meta.gleaner.phoneE164`, `basics.url` and `basics.profiles`."""
    addresses = find_addresses(document)
    links = find_links(document, [part for found in addresses for part in found.parts])
    taken = [part for parts in (*(found.parts for found in addresses), *(found.parts for found in links)) for part in parts]
    _fill_email(draft, addresses)
    _fill_phone(draft, find_phones(document, taken, _rows_of_others(addresses)))
    _fill_links(draft, links)


def _rows_of_others(addresses: list[Address]) -> set[int]:
    """The rows with addresses that are far less likely the person's own than the likeliest, such as an agency's."""
    likely = addresses[0].confidence - _FAR if addresses else 0.0
    own = {part.index for found in addresses if found.confidence >= likely for part in found.parts}
    return {part.index for found in addresses if found.confidence < likely for part in found.parts} - own


def _fill_email(draft: Draft, addresses: list[Address]) -> None:
    values = [value_of(found.text, found.confidence, *found.parts) for found in addresses]
    if addresses and addresses[0].own:
        draft.profile.basics.email = addresses[0].text
        draft.note("basics.email", values.pop(0))
    if values:
        draft.alternatives["basics.email"] = values


def _fill_phone(draft: Draft, phones: list[Phone]) -> None:
    values = [value_of(found.text, found.confidence, *found.parts) for found in phones]
    if phones and phones[0].own:
        draft.profile.basics.phone = phones[0].text
        draft.note("basics.phone", values.pop(0))
        if phones[0].e164 is not None:
            draft.profile.meta.gleaner.phoneE164 = phones[0].e164
            draft.derive("meta.gleaner.phoneE164", ["basics.phone"], phones[0].confidence)
    if values:
        draft.alternatives["basics.phone"] = values


def _fill_links(draft: Draft, links: list[Link]) -> None:
    """The first site of the person's own is `basics.url`; every other link is a profile."""
    profiles = draft.profile.basics.profiles
    rest = []
    for link in links:
        value = value_of(link.url, link.confidence, *link.parts)
        if not link.own:
            rest.append(value)
        elif link.network is None and draft.profile.basics.url is None:
            draft.profile.basics.url = link.url
            draft.note("basics.url", value)
        else:
            path = f"basics.profiles[{len(profiles)}]"
            profiles.append(WebProfile(network=link.network, username=link.username, url=link.url))
            draft.note(f"{path}.url", value)
            for name, found in (("network", link.network), ("username", link.username)):
                if found is not None:
                    draft.derive(f"{path}.{name}", [f"{path}.url"], link.confidence)
    if rest:
        draft.alternatives["basics.profiles"] = rest
