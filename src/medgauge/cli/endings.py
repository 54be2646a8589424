"""How the program ends early: exit codes as a shell reports them, and what it says. Quick to load."""

INTERRUPTED = 130
"""After Ctrl-C."""
TERMINATED = 143
"""After SIGTERM."""
PIPE_CLOSED = 141
"""After the reader of the output has closed the pipe, as head does."""
GO_ON = "interrupted; run the same command again"
