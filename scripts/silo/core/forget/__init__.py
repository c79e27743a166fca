"""What goes for good when a person says forget: which statements, and every file without them. Pure.

`words` tells whether a text holds one of them, `choose` finds the statements, `topics`, `lines` and `values` take them out
of one kind of file each, `tombs` are the marks that keep them from being learnt again.
"""
