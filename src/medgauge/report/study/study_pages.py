"""The report of a study as pages: Markdown, HTML and LaTeX with its plots, and its figures as CSV."""

import html
from collections.abc import Mapping

from medgauge.files.folders import part_name
from medgauge.report.captions.metric_text import percent
from medgauge.report.grids.latex import escape_latex
from medgauge.study.study_result import StudyResult

_STYLE = "body{font-family:sans-serif;margin:2em auto;max-width:72em;padding:0 1em}img{max-width:100%}"
_PLOTS = "plots"


def report(found: StudyResult, *, plots: bool) -> dict[str, str]:
    """Return the files of a report by name; its plots, if any, are in the folder plots/ beside it."""
    texts = captions(found) if plots else {}
    shown = {f"{_PLOTS}/{part_name(name)}": text for name, text in texts.items()}
    return {
        "report.md": _markdown(found, shown),
        "report.html": _html(found, shown),
        "report.tex": _latex(found, shown),
        "figures.csv": found.to_csv(),
    }


def captions(found: StudyResult) -> dict[str, str]:
    """Say what each plot shows, by its name."""
    texts = dict.fromkeys(found.drawn(), "Pearson's r between figures on sets and in NER.")
    counts = {
        "frequency": "how often words occur in the corpus",
        "subjects": "in journals of how many Broad Subject Terms words occur",
    }
    for one in found.subsets:
        level = percent(one.run.settings.confidence)
        texts[f"{one.dataset}-by-{one.by}"] = (
            f"{one.dataset}: figures on subsets by {counts[one.by]}; both words of a pair are in the same "
            f"interval. With {level} intervals."
        )
    return texts


def _markdown(found: StudyResult, plots: Mapping[str, str]) -> str:
    shown = [f"![{text}]({path}.svg)\n\n{text}" for path, text in plots.items()]
    return "\n\n".join([f"# {found.title}", found.to_markdown().rstrip(), *shown]) + "\n"


def _html(found: StudyResult, plots: Mapping[str, str]) -> str:
    title = html.escape(found.title)
    shown = [
        f'<figure><img src="{html.escape(path)}.svg" alt="{html.escape(text)}">'
        f"<figcaption>{html.escape(text)}</figcaption></figure>"
        for path, text in plots.items()
    ]
    lines = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>',
        f"<body><h1>{title}</h1>",
        found.to_html().rstrip(),
        *shown,
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"


def _latex(found: StudyResult, plots: Mapping[str, str]) -> str:
    shown = [
        "\n".join(
            [
                r"\begin{figure}",
                r"\centering",
                rf"\includegraphics[width=\textwidth]{{{path}.png}}",
                rf"\caption{{{escape_latex(text)}}}",
                r"\end{figure}",
            ]
        )
        for path, text in plots.items()
    ]
    return "\n\n".join([found.to_latex().rstrip(), *shown]) + "\n"
