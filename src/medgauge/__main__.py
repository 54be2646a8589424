"""`python -m medgauge` is `medgauge`."""

from medgauge.cli.main import run

if __name__ == "__main__":
    run()
