"""The example study of docs/annotate.md: its files are on the page, its ratings are made up here."""

import random
import re
from pathlib import Path

from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Item

PAGE = Path(__file__).parents[2] / "docs" / "annotate.md"

# How related the pairs on the page are, in their order, for doctors to be made up who mostly agree.
RELATED = [3, 2, 2, 3, 2, 2, 3, 1, 3, 2, 2, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 2, 3, 0]
_CARELESS = "Diop"


def write_files(folder: Path) -> None:
    """Write the files that the page shows, each under the name that stands before it."""
    for name, text in re.findall(r"`([\w.]+)`:\n\n```\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        (folder / name).write_text(text, "utf-8")


def command(name: str) -> list[str]:
    """Give the words of a command as the page has it."""
    found = re.search(rf"^    medgauge (annotate {name} .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1].split()


def rate(study: Path, *, until: float = 1.0) -> None:
    """Rate so much of everybody's pairs; one doctor is quick, and answers 1 and 2 in turn."""
    with Store.open(study) as store:
        graded = dict(zip((pair.pair_id for pair in store.pairs()), RELATED, strict=True))
        for one in store.progress():
            number, name = one.annotator.number, one.annotator.name
            chance = random.Random(number)
            if until:
                store.mark_instructed(number)
                store.mark_practised(number)
            for page in range(1, one.pages + 1):
                items = [item for item in store.page_of(number, page) if item.place < until * one.of]
                for item in items:
                    _rate_one(
                        store, number, item, graded[item.pair.pair_id], chance, careless=name == _CARELESS
                    )
                if len(items) == len(store.page_of(number, page)):
                    store.submit_page(number, page)


def _rate_one(
    store: Store, annotator: int, item: Item, graded: int, chance: random.Random, *, careless: bool
) -> None:
    value = 1 + item.place % 2 if careless else min(3, max(0, graded + chance.choice((0, 0, 0, 0, 1, -1))))
    unsure = not careless and chance.random() < 0.03
    store.rate(
        annotator,
        item.place,
        value=None if unsure else float(value),
        unsure=unsure,
        seconds=round(chance.lognormvariate(-0.3 if careless else 1.6, 0.4), 2),
        key=str(item.place),
        accepts=lambda _: True,
    )
