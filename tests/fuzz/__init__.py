"""The mutation harness: damages valid examples of every kind of input, and looks at what medgauge does.

python -m tests.fuzz --seconds 60
"""
