"""A small SPECIALIST Lexicon in its formats; the entries are facts of English, the identifiers made up."""

import tempfile
from functools import cache
from pathlib import Path

from medgauge.build.words.lexical.specialist_lexicon import SpecialistLexicon, read_lexicon

RECORDS = """{base=phosphorylate
entry=E0000001
\tcat=verb
\tvariants=reg
\ttran=np
\tnominalization=phosphorylation|noun|E0000002
}
{base=phosphorylation
entry=E0000002
\tcat=noun
\tvariants=uncount
\tvariants=reg
\tnominalization_of=phosphorylate|verb|E0000001
}
{base=kinase
entry=E0000003
\tcat=noun
\tvariants=reg
}
{base=protein kinase
entry=E0000004
\tcat=noun
\tvariants=reg
}
{base=stain
entry=E0000005
\tcat=noun
\tvariants=reg
}
{base=stain
entry=E0000006
\tcat=verb
\tvariants=reg
}
{base=edema
spelling_variant=oedema
entry=E0000007
\tcat=noun
\tvariants=uncount
\tvariants=glreg
}
{base=bind
entry=E0000008
\tcat=verb
\tvariants=irreg|bind|binds|bound|bound|binding|
}
"""
AGREEMENT = """E0000001|phosphorylate|verb|infinitive|phosphorylate|phosphorylate|
E0000001|phosphorylates|verb|pres(thr_sing)|phosphorylate|phosphorylate|
E0000001|phosphorylated|verb|past|phosphorylate|phosphorylate|
E0000001|phosphorylating|verb|pres_part|phosphorylate|phosphorylate|
E0000002|phosphorylation|noun|count(thr_sing)|phosphorylation|phosphorylation|
E0000002|phosphorylations|noun|count(thr_plur)|phosphorylation|phosphorylation|
E0000003|kinase|noun|count(thr_sing)|kinase|kinase|
E0000003|kinases|noun|count(thr_plur)|kinase|kinase|
E0000004|protein kinase|noun|count(thr_sing)|protein kinase|protein kinase|
E0000005|stain|noun|count(thr_sing)|stain|stain|
E0000005|stains|noun|count(thr_plur)|stain|stain|
E0000006|stain|verb|infinitive|stain|stain|
E0000006|stains|verb|pres(thr_sing)|stain|stain|
E0000006|stained|verb|past|stain|stain|
E0000006|staining|verb|pres_part|stain|stain|
E0000007|edema|noun|uncount(thr_sing)|edema|edema|
E0000007|edemata|noun|count(thr_plur)|edema|edema|
E0000007|oedemata|noun|count(thr_plur)|oedema|edema|
E0000008|bind|verb|infinitive|bind|bind|
E0000008|binds|verb|pres(thr_sing)|bind|bind|
E0000008|bound|verb|past|bind|bind|
E0000008|binding|verb|pres_part|bind|bind|
"""
SPELLINGS = "E0000007|edema|edema|\nE0000007|oedema|edema|\n"
NOMINALISATIONS = "E0000002|phosphorylation|noun|E0000001|phosphorylate|verb|\n"
SYNONYMS = """edema|edema|128|dropsy|128|NLP_LVG|
dropsy|dropsy|128|edema|128|NLP_LVG|
heartattack|heart attack|128|infarction|128|C0027051|
breathe|breathe|1024|respire|1024|NLP_LVG|
edema|edema|128|swollen|1|NLP_LVG|
"""


def write_tables(folder: Path) -> Path:
    """Write the lexicon as tables."""
    folder.mkdir(exist_ok=True)
    texts = {"LRAGR": AGREEMENT, "LRSPL": SPELLINGS, "LRNOM": NOMINALISATIONS, "SM.DB": SYNONYMS}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def write_records(folder: Path) -> Path:
    """Write the lexicon as unit records, with the table of synonyms, which records do not have."""
    folder.mkdir(exist_ok=True)
    (folder / "LEXICON").write_text(RECORDS, "utf-8")
    (folder / "SM.DB").write_text(SYNONYMS, "utf-8")
    return folder


@cache
def small_lexicon() -> SpecialistLexicon:
    """Return the lexicon, read."""
    with tempfile.TemporaryDirectory() as folder:
        return read_lexicon(write_tables(Path(folder)))
