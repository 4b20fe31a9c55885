"""The plain resumes most tests send. The people in them are invented."""

from __future__ import annotations

ALICE = """Alice Archer
alice.archer@example.com
+1 202 555 0143
Leeds

Work experience
Lantern Books Ltd
Editor
March 2019 - Present

Education
University of Northmoor
BA History
2012 - 2015

Skills
Proofreading, InDesign, Copy editing
"""

ADA = """Ada Quillfeather
Software Engineer
ada.quillfeather@example.org
+1 202 555 0143

Experience
Northwind Instruments, Software Engineer
March 2019 - June 2023
- Built the billing service in Python and PostgreSQL

Brightwater Labs, Junior Developer
July 2016 - February 2019
- Wrote internal tools in Python

Education
Lakeside University
B.Sc. Computer Science
2012 - 2016

Skills
Python, PostgreSQL, Docker, Kubernetes
"""
