"""BLADE as tools for an agent, over the Model Context Protocol.

The server reads and never writes (what it reads is indexed in the user's cache, as by every command), and it reads only below the paths
it was given. An answer is short Markdown or JSON that names what to ask next, and never longer than a page; the rest is on the pages after it.
What rollouts hold is data: it stands escaped in sentences and tables, and in fences in transcripts.

`roots` knows the paths, `desk` opens runs and diagnoses them, `pages` cuts answers, `server` has the tools; each tool's answer is made in a
module of its own. SQL runs in a process of its own (`query_worker`), which can be ended whatever the query does.
"""
