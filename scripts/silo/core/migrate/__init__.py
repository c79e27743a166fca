"""From a flat MEMORY.md of any shape to tiers, topics, entities and a router, with a ledger of every line."""
