"""Resumes in English: what each prints and what stands in it. People, firms and schools are invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "jake latex",
        """
Jordan Example
555-0100 | jordan@example.com
Education
Pinewood University⇥Georgetown, TX
Bachelor of Arts in Computer Science, Minor in Business⇥Aug. 2018 – May 2021
Lakeside College⇥Bryan, TX
Associate's in Liberal Arts⇥Aug. 2014 – May 2018
Experience
Undergraduate Research Assistant⇥June 2020 – Present
Texas A&M University⇥College Station, TX
• Developed a REST API using FastAPI
• Explored ways to visualize GitHub collaboration
Information Technology Support Specialist⇥Sep. 2018 – Present
Southwestern University⇥Georgetown, TX
• Communicate with managers to set up campus computers
Projects
Gitlytics | Python, Flask, React⇥June 2020 – Present
• Developed a full-stack web application
Technical Skills
Languages: Java, Python
""",
        (
            ("Texas A&M University", "Undergraduate Research Assistant", "2020-06", None),
            ("Southwestern University", "Information Technology Support Specialist", "2018-09", None),
        ),
        (
            ("Pinewood University", "Bachelor of Arts", "Computer Science", "2018-08", "2021-05"),
            ("Lakeside College", "Associate's", "Liberal Arts", "2014-08", "2018-05"),
        ),
    ),
    Case(
        "linkedin export",
        """
Experience
Zentrix
Senior Product Manager
January 2020 - Present (6 years 11 months)
Berlin, Germany
Leading a team of product people across three squads and owning the roadmap.

Qualoo
4 years 2 months
Product Manager
March 2018 - December 2019 (1 year 10 months)
Hamburg Area, Germany
Owned checkout.

Associate Product Manager
November 2015 - February 2018 (2 years 4 months)
Hamburg Area, Germany

Education
Universität Hamburg
Master of Science - MS, Business Informatics · (2013 - 2015)
""",
        (
            ("Zentrix", "Senior Product Manager", "2020-01", None),
            ("Qualoo", "Product Manager", "2018-03", "2019-12"),
            ("Qualoo", "Associate Product Manager", "2015-11", "2018-02"),
        ),
        (("Universität Hamburg", "Master of Science", "Business Informatics", "2013", "2015"),),
    ),
    Case(
        "several positions dated group",
        """
PROFESSIONAL EXPERIENCE
**Brightfall Ltd⇥2012 – 2021
Operations Director⇥2018 – 2021
• Ran three plants
Operations Manager⇥2012 – 2018
• Cut waste
**Norwick plc⇥2008 – 2012
Shift Supervisor⇥2008 – 2012
• Led shifts
""",
        (
            ("Brightfall Ltd", "Operations Director", "2018", "2021"),
            ("Brightfall Ltd", "Operations Manager", "2012", "2018"),
            ("Norwick plc", "Shift Supervisor", "2008", "2012"),
        ),
    ),
    Case(
        "inline at",
        """
Employment History
03/2019 – 06/2021: Data Analyst at Vexo, London
Built dashboards.
01/2016 – 02/2019: Junior Analyst at Plumtree, Leeds
Education
2012 – 2015: BSc (Hons) Mathematics, University of Leeds
""",
        (
            ("Vexo", "Data Analyst", "2019-03", "2021-06"),
            ("Plumtree", "Junior Analyst", "2016-01", "2019-02"),
        ),
        (("University of Leeds", "BSc (Hons)", "Mathematics", "2012", "2015"),),
    ),
    Case(
        "unknown employers title first",
        """
Experience
Barista, Moonbean⇥Jan 2020 - Mar 2021
Made coffee.
Shift Lead, Kettle & Rye⇥Apr 2021 - Present
Opened the shop.
""",
        (
            ("Moonbean", "Barista", "2020-01", "2021-03"),
            ("Kettle & Rye", "Shift Lead", "2021-04", None),
        ),
    ),
    Case(
        "europass",
        """
WORK EXPERIENCE
01/09/2019 – CURRENT – Lisbon, Portugal
CIVIL ENGINEER – CONSTRUTORA DO ATLÂNTICO SA
• Design of bridges
01/03/2015 – 31/08/2019 – Porto, Portugal
JUNIOR ENGINEER – OBRAS NORTE LDA
• Site supervision
EDUCATION AND TRAINING
15/09/2009 – 31/07/2014 – Porto, Portugal
MASTER IN CIVIL ENGINEERING – Universidade do Porto
""",
        (
            ("CONSTRUTORA DO ATLÂNTICO SA", "CIVIL ENGINEER", "2019-09-01", None),
            ("OBRAS NORTE LDA", "JUNIOR ENGINEER", "2015-03-01", "2019-08-31"),
        ),
        (("Universidade do Porto", "MASTER", "CIVIL ENGINEERING", "2009-09-15", "2014-07-31"),),
    ),
    Case(
        "table header",
        """
Work history
||Period||Employer||Position
||2019-2021||Foxtail||Accountant
||2015-2019||Greybark||Bookkeeper
""",
        (
            ("Foxtail", "Accountant", "2019", "2021"),
            ("Greybark", "Bookkeeper", "2015", "2019"),
        ),
    ),
    Case(
        "table date cell",
        """
Experience
||Mar 2019 –//Jun 2021||**Senior Editor//Palewater Press, London//• Edited books//• Led a team of four
||Jan 2015 –//Feb 2019||**Editor//Northlight, Leeds//• Edited magazines
""",
        (
            ("Palewater Press", "Senior Editor", "2019-03", "2021-06"),
            ("Northlight", "Editor", "2015-01", "2019-02"),
        ),
    ),
    Case(
        "academic",
        """
Academic Appointments
2018–present⇥Associate Professor, Department of Physics, University of Eastmoor
2012–2018⇥Assistant Professor, Department of Physics, Harrow State University
2010–2012⇥Postdoctoral Researcher, Institute for Advanced Optics
Education
2010⇥Ph.D. in Physics, University of Westbrook. Thesis: "Light"
2005⇥B.S. in Physics, Harrow State University
Grants
2019–2022⇥National Science Fund, Principal Investigator, $300,000
Publications
2019. A. Example, "On light", Journal of Optics 2019-2020.
""",
        (
            ("University of Eastmoor", "Associate Professor", "2018", None),
            ("Harrow State University", "Assistant Professor", "2012", "2018"),
            ("Institute for Advanced Optics", "Postdoctoral Researcher", "2010", "2012"),
        ),
        (
            ("University of Westbrook", "Ph.D.", "Physics", None, "2010"),
            ("Harrow State University", "B.S.", "Physics", None, "2005"),
        ),
    ),
    Case(
        "dash title company",
        """
Experience
Senior Accountant — Meridia Holdings — Dubai
June 2017 – Present
- Closed the books
Accountant — Tanwood — Sharjah
May 2013 – May 2017
- Posted journals
""",
        (
            ("Meridia Holdings", "Senior Accountant", "2017-06", None),
            ("Tanwood", "Accountant", "2013-05", "2017-05"),
        ),
    ),
    Case(
        "company line then title line, dates on title",
        """
WORK EXPERIENCE
**Kestria, Boston, MA
Principal Engineer, 2019 - Present
- Designed things
**Ploverton, Austin, TX
Engineer, 2014 - 2019
- Built things
""",
        (
            ("Kestria", "Principal Engineer", "2019", None),
            ("Ploverton", "Engineer", "2014", "2019"),
        ),
    ),
    Case(
        "paragraph bodies",
        """
Experience
Head Chef
The Copper Pot, Bath
April 2018 - September 2022
Ran a kitchen of twelve and designed seasonal menus with local suppliers.
Reduced food waste by a third.
Sous Chef
Juniper House, Bristol
May 2014 - March 2018
Supported the head chef and trained apprentices in all sections.
""",
        (
            ("The Copper Pot", "Head Chef", "2018-04", "2022-09"),
            ("Juniper House", "Sous Chef", "2014-05", "2018-03"),
        ),
    ),
    Case(
        "no section",
        """
Ada Example
ada@example.com
2019 - 2021 Accountant, Foxtail Ltd
2015 - 2019 Bookkeeper, Greybark Ltd
2012 - 2015 University of Leeds, BSc Mathematics
""",
        (
            ("Foxtail Ltd", "Accountant", "2019", "2021"),
            ("Greybark Ltd", "Bookkeeper", "2015", "2019"),
        ),
        (("University of Leeds", "BSc", "Mathematics", "2012", "2015"),),
    ),
    Case(
        "no dates edu",
        """
Education
B.Tech in Electronics, Hilltop Institute of Technology
Higher Secondary School, Greenfield Academy
Experience
Software Engineer, Nimblex⇥July 2019 - Present
• Wrote code
""",
        (("Nimblex", "Software Engineer", "2019-07", None),),
        (
            ("Hilltop Institute of Technology", "B.Tech", "Electronics", None, None),
            ("Higher Secondary School, Greenfield Academy", None, None, None, None),
        ),
    ),
    Case(
        "india table",
        """
Academic Qualifications
||Degree||Institute||Board/University||Year||Percentage
||B.E. (Computer)||Sunrise College of Engineering||Pune University||2015||72%
||HSC||Model Junior College||Maharashtra Board||2011||81%
""",
        (),
        (
            ("Sunrise College of Engineering", "B.E.", "Computer", None, "2015"),
            ("Model Junior College", "HSC", None, None, "2011"),
        ),
    ),
    Case(
        "freelance & military",
        """
Experience
Freelance Translator⇥2016 – present
• Legal and medical texts
Language Teacher, Sunnyside School⇥2011 – 2016
• Taught French
Military Service
Corporal, Signal Corps⇥2009 – 2010
Certificates
Project Management, Northern Academy⇥2018
""",
        (
            (None, "Freelance Translator", "2016", None),
            ("Sunnyside School", "Language Teacher", "2011", "2016"),
        ),
        (),
    ),
    Case(
        "hidden year words",
        """
Education
MSc Data Science, 2019, University of Westbrook (Distinction)
BSc Statistics, Class of 2016, Harrow State University, GPA 3.8/4.0
""",
        (),
        (
            ("University of Westbrook", "MSc", "Data Science", None, "2019"),
            ("Harrow State University", "BSc", "Statistics", None, "2016"),
        ),
    ),
    Case(
        "bullet jobs",
        """
Work Experience
• Jan 2018 – Dec 2020: Project Engineer, Talvik Engineering AS, Oslo
• Aug 2014 – Dec 2017: Design Engineer, Fjellmek AS, Bergen
Education
• 2012 – 2014: MSc Mechanical Engineering, Norvald University of Technology
• 2009 – 2012: BSc Mechanical Engineering, Norvald University of Technology
""",
        (
            ("Talvik Engineering AS", "Project Engineer", "2018-01", "2020-12"),
            ("Fjellmek AS", "Design Engineer", "2014-08", "2017-12"),
        ),
        (
            ("Norvald University of Technology", "MSc", "Mechanical Engineering", "2012", "2014"),
            ("Norvald University of Technology", "BSc", "Mechanical Engineering", "2009", "2012"),
        ),
    ),
    Case(
        "us resume italic city right",
        """
EXPERIENCE
ACME ROCKETRY⇥Huntsville, AL
Propulsion Engineer⇥May 2019 – Present
• Designed turbopumps for an upper stage
• Tested 14 engines
BLUE MESA LABS⇥Denver, CO
Engineering Intern⇥Summer 2018
• Built test stands
EDUCATION
OAK STATE UNIVERSITY⇥Tulsa, OK
B.S. in Mechanical Engineering, GPA: 3.7/4.0⇥May 2019
""",
        (
            ("ACME ROCKETRY", "Propulsion Engineer", "2019-05", None),
            ("BLUE MESA LABS", "Engineering Intern", "2018", None),
        ),
        (("OAK STATE UNIVERSITY", "B.S.", "Mechanical Engineering", None, "2019-05"),),
    ),
)
