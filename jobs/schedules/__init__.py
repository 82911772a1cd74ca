"""Schedules: jobs that are enqueued again and again, one for each fire time.

`definition` says what a schedule is made of, `plan` what is due now, `tick` enqueues it, `actions`
are the verbs for people and programs, and `sync` brings those declared in code into the table.
"""
