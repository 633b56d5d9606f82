"""From rollouts to the figures of an evaluation, offline: `profile` (one run against its inputs) and `aggregate` (shards to one).

Rooms: `metric_fields` (which fields of a row are numbers), `counted` (the rollouts that count, as columns), `describe` (mean,
max, min, median, std of groups), `estimates` (pass@1, pass@k, intervals: what the reference lacks), `pass_majority` (the
reference's own pass@k helper), `strict` (what must not be passed over in silence), `server_keys` (what only a server can
compute), `hooks` (an environment's own figures), `entries` (what stands in the files).
"""
