"""A memory in tiers: what a fact scores, what the warm set holds and what leaves it. Tier is an attribute; the log keeps all."""
