"""Experts who answer a study at once, and the export of their ratings."""

from collections.abc import Callable
from pathlib import Path

from medgauge.annotate.design.new_study import make_study
from medgauge.annotate.exchange.export import export_study
from medgauge.annotate.store.store import Store
from medgauge.pairs import Pairs

Answer = Callable[[str, str, str], float | None]
"""What an expert (by name) answers to both terms; None is "don't know"."""


def answer_all(study: Path, answer: Answer) -> None:
    """Have everybody rate all of their pairs."""
    with Store.open(study) as store:
        for one in store.progress():
            number = one.annotator.number
            store.mark_instructed(number)
            store.mark_practised(number)
            for page in range(1, one.pages + 1):
                for item in store.page_of(number, page):
                    value = answer(one.annotator.name, item.left, item.right)
                    store.rate(
                        number,
                        item.place,
                        value=value,
                        unsure=value is None,
                        seconds=2.0,
                        key=str(item.place),
                        accepts=lambda _: True,
                    )
                store.submit_page(number, page)


def judged(pairs: Path, protocol: str, answer: Answer, out: Path, experts: str = "Ann,Bea") -> Path:
    """Make a study of a set, have the experts answer, and write their ratings as TSV."""
    study = out.with_suffix(".study")
    names = experts.split(",")
    make_study(study, [Pairs.load(pairs)], protocol=protocol, annotators=names, per_pair=len(names))
    answer_all(study, answer)
    export_study(study).table.write_csv(out, separator="\t")
    return out
