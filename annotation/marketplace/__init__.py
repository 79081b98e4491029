"""The self-hosted marketplace: a service of its own that speaks the Mechanical Turk protocol.

It knows nothing of the rest of `annotation/` and owns every table whose name starts with
`marketplace_`: accounts, access keys, the ledger, HIT types, HITs, assignments, qualifications,
messages, the outbox of notifications. Requesters reach it with unmodified boto3, workers with a browser.

What a program that plays a worker may rely on (everything works as plain forms, no script needed):

=====================================  =================================================================
`GET /healthz`                         `{"ok": true}`
`GET, POST /sign-up/`                  `username`, `password`, `consent=on` (`display_name`, `country`, `invitation`)
`GET, POST /sign-in/`                  `username`, `password`; then `/hits/`
`GET /hits/`                           one `<article data-group="GROUPID">` per group that has work for this worker
`GET /groups/GROUPID/preview`          the frame, without a worker; a form that accepts
`POST /groups/GROUPID/accept`          302 to `/assignments/ASSIGNMENTID/`, or 409 and the reason in `[data-refusal]`
`POST /hits/HITID/accept`              the same for one HIT
`GET /assignments/ASSIGNMENTID/`       the work page; `<iframe id="task" src="...">` holds the task's address
`GET /assignments/ASSIGNMENTID/state`  `{"status", "seconds_left", "next"}`
`POST /assignments/ASSIGNMENTID/return`  gives the work back (`reason` optional)
`POST /mturk/externalSubmit`           `assignmentId` and at least one other field; no cookie and no token needed
`GET /earnings/`                       what was paid; `/history/` has one `<tr data-assignment data-status>` each
=====================================  =================================================================

Every form but `externalSubmit` carries the hidden field `csrfmiddlewaretoken`. The frame's address has
`assignmentId`, `hitId`, `turkSubmitTo` and, once accepted, `workerId`. Answers with status 409 say in
words what was refused and why.
"""
