"""Memories of other programs, and of other places, as plans: read from values, changed in nothing but what they become."""
