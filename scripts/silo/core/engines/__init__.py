"""Language work that a model may do: what is asked, how its answer is checked, and what a call may cost. Pure.

`task` says what a job wants to know, `reply` reads an answer against its schema, `asking` is the conversation of one
batch with its one round of repair, `spending` and `breaker` decide whether a call may be made at all. A transport
(silo.edge.llm) only carries prompts; silo.jobs.engines brings both together. An engine proposes; it never writes.
"""
