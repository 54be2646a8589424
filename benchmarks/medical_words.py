"""Made-up medical words, from stems, syllables and endings, and the phrases they form in a slot of a term."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

Choice = TypeVar("Choice")
Filling = tuple[str, str]
"""The content of a slot: in the words of names, and in other words."""


def _words(text: str) -> list[str]:
    return text.split()


_STEMS = _words(
    """
    cardi nephr hepat gastr enter col proct cyst ureter pyel arthr oste chondr my tend neur encephal mening
    myel ophthalm ot rhin laryng trache bronch pneum pleur angi phleb arteri aden lymph splen hemat derm onych
    trich mamm hyster oophor salping colp orch prostat cheil gingiv gloss odont esophag pancreat cholecyst
    thyr adren pituit spondyl crani cost stern clavic brachi carp dactyl femor tibi tars pelv coccyg dors
    ventr vascul capill kerat retin
    """
)
_SYLLABLES = _words(
    """
    ba be bi bo ca ce ci co cu da de di do fa fe fi fo ga ge gi go la le li lo lu ma me mi mo mu na ne ni no
    pa pe pi po ra re ri ro ru sa se si so ta te ti to tu va ve vi vo xa xi za zo tri glo bra cre dro fle gra
    pla pre pro sta ste
    """
)
_DRUG_ENDINGS = _words(
    "mycin cillin olol prazole statin azepam idine oxacin tidine vir mab parin ridone afil sartan"
)
_GENUS_ENDINGS = _words("ella ia us um bacter coccus bacillus monas myces virus vibrio spira")
_SPECIES_ENDINGS = _words("ensis oides icus alis aris ata osa ii inum ans")
_PARTS = _words(
    """
    shaft head neck base apex margin wall surface body tip root lobe segment branch border crest groove
    capsule sheath
    """
)
_TISSUES = _words(
    "bone joint artery vein nerve muscle gland duct tendon ligament cortex membrane plexus cavity sinus canal"
)


def _filling(text: str) -> list[Filling]:
    """Read fillings that are written as "name's word / other word", one per line."""
    lines = (line.strip().partition(" / ") for line in text.strip().splitlines())
    return [(word, other or word) for word, _, other in lines]


_DISORDER_ENDINGS = _filling(
    """
    itis / inflammation
    osis / disease
    opathy / disorder
    oma / tumor
    algia / pain
    omalacia / softening
    ostenosis / narrowing
    orrhagia / bleeding
    oplegia / paralysis
    omegaly / enlargement
    optosis / descent
    osclerosis / hardening
    odystrophy / wasting
    oedema / swelling
    """
)
_PROCEDURE_ENDINGS = _filling(
    """
    ectomy / removal
    otomy / incision
    ostomy / new opening
    oscopy / viewing
    oplasty / reshaping
    opexy / fixation
    ography / imaging
    orrhaphy / suture
    ocentesis / puncture
    odesis / fusion
    olysis / release
    """
)
_SIDES = _filling(
    """
    left / left-sided
    right / right-sided
    bilateral / both
    upper / superior
    lower / inferior
    anterior / front of
    posterior / back of
    medial / inner
    lateral / outer
    """
)
_QUALITIES = _filling(
    """
    acute / sudden onset
    chronic / long-standing
    recurrent / relapsing
    congenital / present at birth
    acquired / not congenital
    traumatic / injury-related
    open / compound
    closed / simple
    primary / first
    secondary / subsequent
    malignant / cancerous
    benign / non-malignant
    superficial / shallow
    deep / profound
    partial / incomplete
    complete / total
    severe / grave
    mild / slight
    suspected / possible
    postoperative / after surgery
    infected / with infection
    healed / resolved
    idiopathic / cryptogenic
    familial / hereditary
    early / initial stage
    late / advanced stage
    neonatal / newborn
    juvenile / childhood
    """
)
_CHANGES = _filling(
    """
    fracture / broken structure
    inflammation / inflammatory disorder
    neoplasm / tumor
    laceration / cut
    abscess / collection of pus
    infection / infectious disease
    hemorrhage / bleeding
    dislocation / displacement
    sprain / overstretching
    contusion / bruise
    ulcer / ulceration
    rupture / tear
    obstruction / blockage
    stenosis / narrowing
    atrophy / wasting
    hypertrophy / enlargement
    necrosis / tissue death
    burn / thermal injury
    foreign body / retained object
    degeneration / wear
    deformity / malformation
    swelling / edema
    pain / discomfort
    numbness / loss of sensation
    stiffness / reduced movement
    perforation / hole
    fistula / abnormal passage
    prolapse / descent
    thrombosis / clot formation
    embolism / lodged clot
    """
)
_ACTS = _filling(
    """
    excision / removal
    incision / opening
    repair / reconstruction
    biopsy / tissue sampling
    drainage / evacuation
    injection / infiltration
    insertion / placement
    replacement / substitution
    fixation / stabilization
    closure / suture
    examination / inspection
    imaging / radiography
    measurement / quantification
    destruction / ablation
    transplantation / grafting
    irrigation / lavage
    dilation / stretching
    exploration / surgical search
    revision / second operation
    manipulation / manual therapy
    """
)
_MEANS = _filling(
    """
    using contrast / with contrast medium
    using ultrasonic guidance / under sonographic control
    using fluoroscopic guidance / under fluoroscopy
    by open approach / via open surgery
    by endoscopic approach / through an endoscope
    by percutaneous approach / through the skin
    using computed tomography guidance / under CT
    with anesthesia / under anesthesia
    with implantation of device / and device placement
    for diagnostic purpose / to make a diagnosis
    """
)
_FORMS = _filling(
    """
    oral tablet / tablet by mouth
    oral capsule / capsule by mouth
    solution for injection / injectable solution
    eye drops / ophthalmic drops
    cutaneous cream / cream for skin
    rectal suppository / suppository
    powder for oral suspension / oral suspension powder
    nasal spray / spray for nose
    """
)


class Words:
    """A generator of words, and of the phrases they form in a slot."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.draw = self._draws(rng).__next__

    @staticmethod
    def _draws(rng: np.random.Generator) -> Iterator[float]:
        while True:
            yield from rng.random(1 << 16).tolist()

    def one(self, choices: Sequence[Choice]) -> Choice:
        """Draw one of several choices, the first more often than the last, like the words of a language."""
        return choices[int(self.draw() ** 1.4 * len(choices))]

    def stem(self) -> str:
        """Draw a stem, or two stems joined."""
        stem = self.one(_STEMS)
        return f"{stem}o{self.one(_STEMS)}" if self.draw() < 0.3 else stem

    def made_up(self, syllables: int, endings: list[str]) -> str:
        """Make up a word."""
        return "".join(self.one(_SYLLABLES) for _ in range(syllables)) + self.one(endings)

    def site(self) -> Filling:
        """Draw a part of the body."""
        stem, tissue = self.stem(), self.one(_TISSUES)
        if self.draw() < 0.5:
            part = self.one(_PARTS)
            return f"{part} of {stem}al {tissue}", f"{stem}al {tissue} {part}"
        return f"{stem}al {tissue}", f"{tissue} of {stem}um"

    def side(self) -> Filling:
        """Draw a side of the body."""
        return self.one(_SIDES)

    def quality(self) -> Filling:
        """Draw how something is."""
        return self.one(_QUALITIES)

    def change(self) -> Filling:
        """Draw what can be wrong."""
        if self.draw() < 0.6:
            return self.one(_CHANGES)
        return self._grown(_DISORDER_ENDINGS)

    def act(self) -> Filling:
        """Draw what can be done."""
        if self.draw() < 0.7:
            return self.one(_ACTS)
        return self._grown(_PROCEDURE_ENDINGS)

    def _grown(self, endings: list[Filling]) -> Filling:
        stem, (ending, plain) = self.stem(), self.one(endings)
        return f"{stem}{ending}", f"{plain} of {stem}um"

    def means(self) -> Filling:
        """Draw the means of a procedure."""
        return self.one(_MEANS)

    def cause(self) -> Filling:
        """Draw where something comes from."""
        what = self.organism()[0] if self.draw() < 0.5 else self.one(_CHANGES)[0]
        return f"due to {what}", f"caused by {what}"

    def organism(self) -> Filling:
        """Draw a living thing."""
        genus, species = self.made_up(2, _GENUS_ENDINGS), self.made_up(2, _SPECIES_ENDINGS)
        return f"{genus} {species}", f"{genus[0]}. {species}"

    def strain(self) -> Filling:
        """Draw a strain of an organism."""
        number = int(self.draw() * 90) + 1
        return f"serotype {number}", f"type {number} strain"

    def drug(self) -> Filling:
        """Draw a substance under two names."""
        return self.made_up(3, _DRUG_ENDINGS), self.made_up(3, _DRUG_ENDINGS)

    def dose(self) -> Filling:
        """Draw a dose of a drug."""
        number = 5 * (int(self.draw() * 100) + 1)
        return f"{number} milligram", f"{number} mg"

    def form(self) -> Filling:
        """Draw a form of a drug."""
        return self.one(_FORMS)
