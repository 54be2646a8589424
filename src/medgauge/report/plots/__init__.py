"""Plots of results, onto a matplotlib figure: a module for each kind, all through `canvas`."""
