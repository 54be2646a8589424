"""The entry point of `medgauge` and `python -m medgauge`: it can be interrupted before the rest is loaded."""

import os
import signal

from medgauge.cli.endings import GO_ON, INTERRUPTED


def run() -> None:
    """Run the program; an interrupt ends it quietly with exit code 130, even while its modules are loaded."""
    usual = signal.getsignal(signal.SIGINT)
    caught = usual is signal.default_int_handler  # under nohup, for example, interrupts are ignored
    if caught:
        # Not an exception: one that is raised inside an import may be printed and then lost.
        signal.signal(signal.SIGINT, _leave)
    from medgauge.cli import main

    try:
        if caught:
            signal.signal(signal.SIGINT, usual)
        main.run()
    except KeyboardInterrupt:  # before or after what `main.run` catches
        _leave()
    except SystemExit as stop:
        if stop.code == INTERRUPTED:  # Python itself would end by a signal after some interrupts
            os._exit(INTERRUPTED)
        raise
    finally:
        if caught:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # quiet while the interpreter shuts down


def _leave(*_: object) -> None:
    os.write(2, f"{GO_ON}\n".encode())
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()
