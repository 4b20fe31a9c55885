"""More resumes in English: what each prints and what stands in it. People, firms and schools are invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "position (company) pattern",
        """
Professional Experience
Marketing Lead (Brightpeak GmbH) | 04/2020 – 09/2023
- Campaigns
Marketing Assistant (Luma Studio) | 01/2017 – 03/2020
- Events
""",
        (
            ("Brightpeak GmbH", "Marketing Lead", "2020-04", "2023-09"),
            ("Luma Studio", "Marketing Assistant", "2017-01", "2020-03"),
        ),
    ),
    Case(
        "company: title",
        """
Career History
Halden Bank (2016 - 2021)
Role: Credit Analyst
Responsibilities:
- Credit files
Norrland Savings (2012 - 2016)
Role: Teller
Responsibilities:
- Cash desk
""",
        (
            ("Halden Bank", "Credit Analyst", "2016", "2021"),
            ("Norrland Savings", "Teller", "2012", "2016"),
        ),
    ),
    Case(
        "trainings must not be schools",
        """
Education
2014 – 2018⇥Pacific Institute of Design⇥BFA Graphic Design
Courses
2019⇥UX Academy⇥Interaction design
2020⇥School of Motion⇥After Effects
Work experience
2018 – 2022⇥Junior Designer⇥Pixelwerk
""",
        (("Pixelwerk", "Junior Designer", "2018", "2022"),),
        (("Pacific Institute of Design", "BFA", "Graphic Design", "2014", "2018"),),
    ),
    Case(
        "dates in the middle with dot separators",
        """
Experience
Product Designer · Fernlight · Jun 2021 – Present · Remote
Designing things for people
UI Designer · Opaline · Feb 2018 – May 2021 · Berlin
Drawing things for people
""",
        (
            ("Fernlight", "Product Designer", "2021-06", None),
            ("Opaline", "UI Designer", "2018-02", "2021-05"),
        ),
    ),
    Case(
        "german style cv",
        """
Professional Experience
since 05/2018⇥Tanner & Voss AG, Munich
⇥Software Architect
⇥- Architecture of billing
09/2013 – 04/2018⇥Kolbweiss, Augsburg
⇥Software Developer
⇥- Java
Education
10/2008 – 08/2013⇥University of Augsburg
⇥Diplom in Computer Science
""",
        (
            ("Tanner & Voss AG", "Software Architect", "2018-05", None),
            ("Kolbweiss", "Software Developer", "2013-09", "2018-04"),
        ),
        (("University of Augsburg", "Diplom", "Computer Science", "2008-10", "2013-08"),),
    ),
    Case(
        "functional list",
        """
EMPLOYMENT
Grain Trader, Northern Mills, 2015–2020
Analyst, Prairie Commodities, 2012–2015
Clerk, Elevator 9, 2010–2012
""",
        (
            ("Northern Mills", "Grain Trader", "2015", "2020"),
            ("Prairie Commodities", "Analyst", "2012", "2015"),
            ("Elevator 9", "Clerk", "2010", "2012"),
        ),
    ),
    Case(
        "company url line & tech",
        """
Experience
**Lead Engineer @ Quillbase (https://quillbase.example)
Oct 2019 — now
Stack: Go, Postgres
• Ran a team from 2020 to 2021
**Engineer @ Driftwell (https://driftwell.example)
Mar 2015 — Sep 2019
Stack: Python
• Wrote services
""",
        (
            ("Quillbase", "Lead Engineer", "2019-10", None),
            ("Driftwell", "Engineer", "2015-03", "2019-09"),
        ),
    ),
    Case(
        "present only range no month employer first caps",
        """
PROFESSIONAL EXPERIENCE

NORTHWIND TRADERS, Seattle, WA⇥2016-Present
Regional Sales Manager
Manage a team of nine representatives across three states.
• Grew revenue

CONTOSO RETAIL, Portland, OR⇥2010-2016
Account Executive
Sold retail systems.
• Closed deals
""",
        (
            ("NORTHWIND TRADERS", "Regional Sales Manager", "2016", None),
            ("CONTOSO RETAIL", "Account Executive", "2010", "2016"),
        ),
    ),
    Case(
        "company — location right, title italic, dates below",
        """
PROFESSIONAL EXPERIENCE
Orbis Freight — Rotterdam, Netherlands
Customs Broker
08/2019 – Present
• Cleared cargo
Halvorsen Lines — Bergen, Norway
Shipping Clerk
02/2016 – 07/2019
• Booked containers
""",
        (
            ("Orbis Freight", "Customs Broker", "2019-08", None),
            ("Halvorsen Lines", "Shipping Clerk", "2016-02", "2019-07"),
        ),
    ),
    Case(
        "title, company, date comma all",
        """
Work History
Welder, 2018 to Present
Ironvale Shipyard – Gdansk
Weld hull plates.
Apprentice Welder, 2015 to 2018
Kessler Metalworks – Sopot
Learned the trade.
""",
        (
            ("Ironvale Shipyard", "Welder", "2018", None),
            ("Kessler Metalworks", "Apprentice Welder", "2015", "2018"),
        ),
    ),
    Case(
        "consulting projects inside job",
        """
Experience
Senior Consultant, Altavia Partners⇥2017 – 2022
Project: ERP rollout (2018 – 2019)
- Led testing
Project: CRM migration (2020 – 2021)
- Led data load
Consultant, Brightline⇥2014 – 2017
- Workshops
""",
        (
            ("Altavia Partners", "Senior Consultant", "2017", "2022"),
            ("Brightline", "Consultant", "2014", "2017"),
        ),
    ),
    Case(
        "edu degree first lines",
        """
EDUCATION
Master of Business Administration (MBA)
Stonebridge Business School, Dublin — 2016
Bachelor of Commerce, Accounting
Liffey University, Dublin — 2012
""",
        (),
        (
            ("Stonebridge Business School", "Master of Business Administration (MBA)", None, None, "2016"),
            ("Liffey University", "Bachelor of Commerce", "Accounting", None, "2012"),
        ),
    ),
    Case(
        "edu phd candidate",
        """
Education
PhD candidate, Neuroscience, Karolin University, 2021 – present
MSc, Biology, Karolin University, 2019 – 2021
""",
        (),
        (
            ("Karolin University", "PhD candidate", "Neuroscience", "2021", None),
            ("Karolin University", "MSc", "Biology", "2019", "2021"),
        ),
    ),
    Case(
        "headline summary with years no job",
        """
Profile
Accountant with 10 years of experience, 2009 – 2019 in audit firms.
Experience
Accountant, Foxglove Ltd⇥2019 – 2021
""",
        (("Foxglove Ltd", "Accountant", "2019", "2021"),),
    ),
    Case(
        "nurse with hospital dept",
        """
Clinical Experience
Staff Nurse, Intensive Care Unit⇥Sept 2018 – Present
St. Brigid's Hospital, Cork
• Cared for patients
Student Nurse, Emergency Department⇥Jan 2017 – Aug 2018
Mercy Hospital, Cork
• Assisted
""",
        (
            ("St. Brigid's Hospital", "Staff Nurse, Intensive Care Unit", "2018-09", None),
            ("Mercy Hospital", "Student Nurse, Emergency Department", "2017-01", "2018-08"),
        ),
    ),
    Case(
        "dates right with location line",
        """
Experience
Delphine & Roux⇥Paris, France
Pastry Chef⇥March 2019 – Present
– Led pastry
Maison Verte⇥Lyon, France
Commis⇥Sept 2016 – Feb 2019
– Prep
""",
        (
            ("Delphine & Roux", "Pastry Chef", "2019-03", None),
            ("Maison Verte", "Commis", "2016-09", "2019-02"),
        ),
    ),
    Case(
        "freelance self employed",
        """
Experience
2019 – present⇥Freelance, self-employed
Graphic Designer
2016 – 2019⇥Studio Nord
Graphic Designer
""",
        (
            ("Freelance, self-employed", "Graphic Designer", "2019", None),
            ("Studio Nord", "Graphic Designer", "2016", "2019"),
        ),
    ),
    Case(
        "plain no section caps names mixed order newest last",
        """
CAREER SUMMARY
2009-2012 Trainee, Bluewater Ltd
2012-2016 Engineer, Bluewater Ltd
2016-date Senior Engineer, Redstone Ltd
""",
        (
            ("Bluewater Ltd", "Trainee", "2009", "2012"),
            ("Bluewater Ltd", "Engineer", "2012", "2016"),
            ("Redstone Ltd", "Senior Engineer", "2016", None),
        ),
    ),
    Case(
        "achievements sublabel",
        """
Experience
Sales Manager
Tornio Oy
2018 - 2021
Achievements:
Grew revenue by 30 %
Responsibilities:
Key accounts
Sales Assistant
Lapland Oy
2015 - 2018
Responsibilities:
Store
""",
        (
            ("Tornio Oy", "Sales Manager", "2018", "2021"),
            ("Lapland Oy", "Sales Assistant", "2015", "2018"),
        ),
    ),
    Case(
        "duration in own col",
        """
Experience
||Company||Title||From||To
||Kestrelworks||Planner||03/2018||05/2021
||Mapleford||Scheduler||01/2015||02/2018
""",
        (
            ("Kestrelworks", "Planner", "2018-03", "2021-05"),
            ("Mapleford", "Scheduler", "2015-01", "2018-02"),
        ),
    ),
    Case(
        "en page header in the middle",
        """
Experience
Analyst, Oakhurst Ltd⇥2018 – 2021
• Reports
• Dashboards
Jane Example | Page 2
• Forecasts
Clerk, Elmhurst Ltd⇥2015 – 2018
• Files
""",
        (
            ("Oakhurst Ltd", "Analyst", "2018", "2021"),
            ("Elmhurst Ltd", "Clerk", "2015", "2018"),
        ),
    ),
    Case(
        "title: company with colon",
        """
EXPERIENCE
Research Associate: Institute of Soil Science, 2017–2020
Lab Technician: Greenfield Agronomy, 2014–2017
""",
        (
            ("Institute of Soil Science", "Research Associate", "2017", "2020"),
            ("Greenfield Agronomy", "Lab Technician", "2014", "2017"),
        ),
    ),
    Case(
        "bold company then title in same line with date",
        """
EXPERIENCE
**Copperline Inc.
Data Engineer  (Jan 2021 - Present)
- Pipelines
**Tinworks LLC
Data Analyst  (Feb 2018 - Dec 2020)
- Reports
""",
        (
            ("Copperline Inc.", "Data Engineer", "2021-01", None),
            ("Tinworks LLC", "Data Analyst", "2018-02", "2020-12"),
        ),
    ),
    Case(
        "two-col text",
        """
Education⇥
2010 – 2014⇥BA History, Fenwick University
Employment⇥
2014 – 2018⇥Archivist, Fenwick County Museum
2018 – now⇥Curator, Hartwell Gallery
""",
        (
            ("Fenwick County Museum", "Archivist", "2014", "2018"),
            ("Hartwell Gallery", "Curator", "2018", None),
        ),
        (("Fenwick University", "BA", "History", "2010", "2014"),),
    ),
    Case(
        "md style",
        """
## Experience
### Backend Engineer — Lumenfold
*Jun 2020 – Present | Remote*
- APIs
### Intern — Quartzbyte
*Jan 2020 – May 2020 | Porto*
- Tests
## Education
### BSc Informatics — University of Porto
*2016 – 2020*
""",
        (
            ("Lumenfold", "Backend Engineer", "2020-06", None),
            ("Quartzbyte", "Intern", "2020-01", "2020-05"),
        ),
        (("University of Porto", "BSc", "Informatics", "2016", "2020"),),
    ),
)
