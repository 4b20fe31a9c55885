"""Texts: a resume as a web page, as the HTML that office programs call a document, and as plain text."""

from __future__ import annotations

from html import escape

from people import Headings, Person

_STYLE = """
  body { font: 16px/1.55 Georgia, serif; color: #22262e; max-width: 44rem; margin: 3rem auto; padding: 0 1.5rem; }
  h1 { font-size: 2.3rem; margin: 0; } h2 { color: #9a4a1c; border-bottom: 1px solid #d8cfc6; margin: 2rem 0 .6rem; }
  h3 { margin: 1rem 0 0; display: flex; justify-content: space-between; } h3 time { font-weight: normal; color: #6b7078; }
  .label { font-size: 1.2rem; color: #9a4a1c; } ul { margin: .3rem 0; padding-left: 1.2rem; }
  .skills li { display: inline-block; background: #f3ece5; border-radius: 1rem; padding: .1rem .8rem; margin: .2rem .2rem 0 0; }
  .skills { padding: 0; }"""


def web_page(person: Person, words: Headings) -> str:
    """A page with headings, lists and links."""
    jobs = "".join(
        f"\n  <h3>{escape(job.position)} <time>{job.dates}</time></h3>"
        f"\n  <div>{escape(job.employer)}, {escape(job.place)}</div>\n"
        f"  <ul>{''.join(f'<li>{escape(point)}</li>' for point in job.points)}</ul>"
        for job in person.jobs
    )
    schools = "".join(
        f"\n  <h3>{escape(school.institution)} <time>{school.dates}</time></h3>\n  <div>{escape(school.award)}</div>"
        for school in person.schools
    )
    contact = (
        person.city,
        f'<a href="tel:{person.phone}">{person.phone}</a>',
        f'<a href="mailto:{person.email}">{person.email}</a>',
        *(f'<a href="https://{link}">{link}</a>' for link in person.links),
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(person.name)}</title>
<style>{_STYLE}
</style>
</head>
<body>
<header>
  <h1>{escape(person.name)}</h1>
  <div class="label">{escape(person.label)}</div>
  <p>{" · ".join(contact)}</p>
</header>
<section>
  <h2>{words.profile}</h2>
  <p>{escape(person.summary)}</p>
</section>
<section>
  <h2>{words.experience}</h2>{jobs}
</section>
<section>
  <h2>{words.education}</h2>{schools}
</section>
<section>
  <h2>{words.skills}</h2>
  <ul class="skills">{" ".join(f"<li>{escape(skill)}</li>" for skill in person.skills)}</ul>
</section>
<section>
  <h2>{words.languages}</h2>
  <p>{escape(words.list_mark.join(person.tongues))}</p>
</section>
<section>
  <h2>{words.extra}</h2>
  <p>{escape(words.list_mark.join(person.extra))}</p>
</section>
</body>
</html>
"""


def office_page(person: Person, words: Headings) -> str:
    """What a job board hands out as a `.doc`: HTML with tables and the namespaces of an office program."""
    jobs = "".join(
        f'<tr><td width="170" valign="top">{job.dates}</td><td><b>{escape(job.position)}</b><br>{escape(job.employer)}, '
        f"{escape(job.place)}<br>{'<br>'.join(f'- {escape(point)}' for point in job.points)}</td></tr>\n"
        for job in person.jobs
    )
    schools = "".join(
        f'<tr><td width="170" valign="top">{school.dates}</td>'
        f"<td><b>{escape(school.institution)}</b><br>{escape(school.award)}</td></tr>\n"
        for school in person.schools
    )
    return f"""<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<style>body {{ font-family: Calibri, Arial, sans-serif; font-size: 11pt; margin: 2cm; }} h2 {{ color: #1f4e79; font-size: 13pt; }}
td {{ padding: 2pt 8pt 6pt 0; }}</style>
</head>
<body>
<p style="font-size:20pt"><b>{escape(person.name)}</b></p>
<p>{escape(person.label)}</p>
<table>
<tr><td width="170">Location:</td><td>{escape(person.city)}</td></tr>
<tr><td>Phone:</td><td>{person.phone}</td></tr>
<tr><td>E-mail:</td><td>{person.email}</td></tr>
</table>
<h2>{words.profile}</h2>
<p>{escape(person.summary)}</p>
<h2>{words.experience}</h2>
<table>
{jobs}</table>
<h2>{words.education}</h2>
<table>
{schools}</table>
<h2>{words.skills}</h2>
<p>{escape(words.list_mark.join(person.skills))}</p>
<h2>{words.languages}</h2>
<p>{escape(words.list_mark.join(person.tongues))}</p>
</body>
</html>
"""


def plain_text(person: Person, words: Headings) -> str:
    """Lines as one types them into a text editor, with the line ends of Windows."""
    lines = [person.name, person.label, "", f"Город: {person.city}", f"Телефон: {person.phone}", f"Почта: {person.email}"]
    lines += ["", words.profile.upper(), person.summary, "", words.experience.upper()]
    for job in person.jobs:
        lines += ["", job.dates, f"{job.employer}, {job.place}", job.position, *(f"- {point}" for point in job.points)]
    lines += ["", words.education.upper()]
    for school in person.schools:
        lines += [school.dates, school.institution, school.award]
    lines += ["", words.skills.upper(), words.list_mark.join(person.skills)]
    lines += ["", words.languages.upper(), *person.tongues, ""]
    return "\r\n".join(lines)
