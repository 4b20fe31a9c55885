"""Running an installation on one machine: `manage.py run`.

`programs` says which processes there are, `watch` keeps them running and ends them, `broker` prepares the embedded
Valkey server, `demo` makes the demo users and imports the samples, `prepare` brings database and static files up to
date, `ports` says whether a port is free, `banner` tells people where to go.
"""
