"""Recall: what answers a question, cheapest way first. Pure; the index is seen through `view.View`."""
