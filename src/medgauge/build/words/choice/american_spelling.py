"""American for British spelling: by the package breame, and by word elements of medicine.

The package knows tumour, anaemia and analyse, and none of oedema, haematuria, ischaemia and hydrolyse.
"""

import re
from collections.abc import Callable

from medgauge.errors import MissingExtraError

_BEGIN = r"(?:^|(?<=-))"
_ELEMENTS = (
    # Names of organisms keep their Latin: Haemophilus, Faecalibacterium, N. gonorrhoeae, Entamoeba.
    (r"haem(?!ophilus|ophilum|onchus|aphysalis|atobium|oproteus|olytic(?:us|um|a)$|orrhagiae)", "hem"),
    *((r"faec(?=[ae])(?!alis|alibact)", "fec"), (r"rrhoea(?!e)", "rrhea"), (rf"{_BEGIN}amoeb", "ameb")),
    # Angioedema, gastroesophageal and phytoestrogen are American: their o is that of the first part.
    *((r"(?<!angi)oedem", "edem"), (rf"(?:{_BEGIN}|(?<=trans)|(?<=o))oesoph", "esoph")),
    (rf"(?:{_BEGIN}|(?<=an)|(?<=di)|(?<=met))oestr", "estr"),
    *((r"aemi(?=[ac])", "emi"), (r"paedi", "pedi"), (r"aesth(?=e[st])", "esth"), (r"aetiolog", "etiolog")),
    *((r"caec(?=[aou])", "cec"), (r"coeliac", "celiac"), (r"pnoea", "pnea"), (r"foet(?=[aiou])", "fet")),
    *(
        (r"gynaec", "gynec"),
        (r"naev(?=[iou])", "nev"),
        (r"leucocyt(?!ozoon)", "leukocyt"),
        (r"sulph", "sulf"),
        (r"tumour", "tumor"),
    ),
    (r"phaeochrom", "pheochrom"),
    # To lyse is American as well.
    (r"(?<=\w\w)lys(?=(?:e|ed|ing|er|ers)$)", "lyz"),
    # Valise and cerise are not verbs.
    *((r"(?<=al)(?<!^val)is(?=(?:e|es|ed|ing)$)", "iz"), (r"(?<=er)(?<!^cer)is(?=(?:e|es|ed|ing)$)", "iz")),
    (r"(?<!prov)is(?=ations?$)", "iz"),
)
_COMPILED = [(re.compile(british), american) for british, american in _ELEMENTS]


def american_speller() -> Callable[[str], str]:
    """Return what writes a British spelling as the American one; other words stay as they are.

    >>> speller = american_speller()
    >>> [speller(word) for word in ("tumour", "oedema", "hydrolysed", "polymerisation", "haemophilus")]
    ['tumor', 'edema', 'hydrolyzed', 'polymerization', 'haemophilus']
    """
    try:
        from breame.spelling import get_american_spelling
    except ImportError as error:
        raise MissingExtraError("breame", extra="words") from error

    def spell(word: str) -> str:
        if word.endswith("yses"):
            return word  # analyses may be those of an analysis
        word = str(get_american_spelling(word))
        for british, american in _COMPILED:
            word = british.sub(american, word)
        return word

    return spell
