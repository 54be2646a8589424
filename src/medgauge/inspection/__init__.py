"""Single pairs behind the figures of a run, with the terms of the sets on this machine."""
