"""A small SNOMED CT release that holds every rule of the positive pairs, and what follows from it."""

from tests.rf2 import (
    MODEL_COMPONENT,
    POSSIBLY_EQUIVALENT_TO,
    REPLACED_BY,
    SAME_AS,
    WAS_A,
    Release,
    sctid,
)

FSN_SYN = [
    ("Sprain of ankle", "Ankle sprain"),
    ("Sprain of ankle", "Twisted ankle"),
    ("Malaria", "Paludism"),
    ("Malaria", "Marsh fever"),
    ("Iodine", "Radioactive iodine"),
    ("Foo(bar)", "Foo bar"),
    ("Lesion (left) or (right)", "Lesion of either side"),
    ("Pain & (ache)", "Pain and ache"),
    ("Cramp (& spasm)", "Cramp and spasm"),
    ("Fièvre jaune", "Yellow fever"),
    ("Cold", "Coryza"),
    ("Influenza", "Flu"),
    ("Influenza", "Grippe"),
    ("Influenza", "FLU"),
    ("Reactivated concept", "Concept come back"),
    ("Grippe", "Flu"),
]
SYN_SYN = [
    *FSN_SYN[:2],
    ("Ankle sprain", "Twisted ankle"),
    *FSN_SYN[2:4],
    ("Paludism", "Marsh fever"),
    *FSN_SYN[4:14],
    ("Flu", "Grippe"),
    ("Grippe", "FLU"),
    FSN_SYN[14],
]
POSSIBLY_EQUIVALENT = [
    ("Fever of unknown kind", "Malaria"),
    ("Fever of unknown kind", "Influenza"),
]
REPLACED = [
    ("Ankle problem", "Sprain of ankle"),
    ("Retired and renamed", "Influenza"),
    ("Association retired", "Namespace of nerves"),
]
SAME = [("Swamp sickness", "Malaria")]
EASY = {
    ("Malaria", "Paludism"),  # m→p, a→u, r→d, a→s, and m: five edits
    ("Foo(bar)", "Foo bar"),
    ("Pain & (ache)", "Pain and ache"),
    ("Cramp (& spasm)", "Cramp and spasm"),
    ("Cold", "Coryza"),
}
"""The pairs of FSN-SYN that are at most five edits apart, counted by hand."""


def small_release() -> Release:
    """Write the rows; the comments name the rule that each stands for."""
    release = Release()
    ankle = (
        release.concept(1)
        .fsn("Sprain of ankle (disorder)")
        .synonym("Ankle sprain")
        .synonym("SPRAIN OF ANKLE")  # equals the FSN but for case
        .synonym("Twisted ankle")
        .synonym("Ankle twist", active=False)  # an inactive description
    )
    malaria = (
        release.concept(2)
        .fsn("Malarial fever (disorder)", number=50)
        .fsn("Malarial fever (disorder)", number=50, active=False, date="20100131")
        .fsn("Malaria (disorder)", date="20100131")  # the FSN was reworded
        .synonym("Paludism", number=51, active=False)
        .synonym("Marsh fever")
        .synonym("Paludism", number=51, date="20120131")  # revived; stands where its first row does
    )
    release.concept(3).fsn("Iodine (3H(2))").synonym("Radioactive iodine").synonym("IODINE")
    release.concept(4).fsn("Foo(bar)").synonym("Foo bar")  # no blank before the parenthesis
    release.concept(5).fsn("Lesion (left) or (right)").synonym("Lesion of either side")
    release.concept(6).fsn("Pain & (ache)").synonym("Pain and ache")
    release.concept(7).fsn("Cramp (& spasm)").synonym("Cramp and spasm")
    release.concept(8).fsn("Fièvre jaune (disorder)").synonym("Yellow fever").synonym("FIÈVRE JAUNE")
    release.concept(9).fsn("Cold (disorder)").synonym("Coryza")
    release.concept(10).fsn("Coryza (finding)").synonym("Cold")  # the same pair, the other way round
    flu = release.concept(11).fsn("Influenza (disorder)").synonym("Flu").synonym("Grippe").synonym("FLU")
    release.concept(12, module=MODEL_COMPONENT).fsn("Is a (attribute)").synonym("Subsumed by")
    retired = release.concept(13).fsn("Retired concept (disorder)").synonym("Concept no more")
    retired.state(active=False, date="20110131")
    revived = release.concept(14, active=False).fsn("Reactivated concept (disorder)")
    revived.synonym("Concept come back").state(date="20130131")
    moved = release.concept(15).fsn("Moved to metadata (attribute)").synonym("Metadata now")
    moved.state(module=MODEL_COMPONENT, date="20140131")
    release.concept(16).fsn("Grippe (finding)").synonym("Flu")  # a pair of SYN-SYN, the other way round
    old = {
        name: release.concept(number, active=False).fsn(fsn)
        for number, (name, fsn) in enumerate(
            {
                "fever": "[D]Fever of unknown kind (finding)",
                "ankle": "Ankle problem[D] (finding)",
                "case": "MALARIA (finding)",
                "known": "Coryza (disorder)",
                "swamp": "Swamp sickness (disorder)",
                "first": "First kind decides (disorder)",
                "retired": "Association retired (disorder)",
                "twice": "Swamp sickness (finding)",
                "renamed": "Renamed before (disorder)",
            }.items(),
            100,
        )
    }
    old["renamed"].fsn("Retired and renamed (disorder)", date="20160131")
    old["renamed"].description(  # its first FSN is no longer active
        900000000000003001,
        "Renamed before (disorder)",
        number=100_000 + release.described - 1,
        active=False,
        date="20160131",
    )
    namespace = release.concept(200).fsn("Extension Namespace 1000003 (namespace concept)")
    capital = release.concept(201).fsn("Namespace of nerves (disorder)")
    release.associate(old["fever"], malaria, POSSIBLY_EQUIVALENT_TO)
    release.associate(old["fever"], flu, POSSIBLY_EQUIVALENT_TO)
    release.associate(old["fever"], namespace, POSSIBLY_EQUIVALENT_TO)  # a target that means nothing medical
    release.associate(old["ankle"], ankle, REPLACED_BY)
    release.associate(old["case"], malaria, SAME_AS)  # equal but for case
    release.associate(old["known"], sctid(9, "00"), SAME_AS)  # Coryza with Cold: already in SYN-SYN
    release.associate(old["swamp"], malaria, SAME_AS)
    release.associate(malaria, old["twice"], SAME_AS)  # a reverse duplicate
    release.associate(old["first"], flu, WAS_A)  # an ordered pair is of the kind of its first row alone
    release.associate(old["first"], flu, SAME_AS)
    release.associate(old["retired"], flu, SAME_AS)
    release.associate(old["retired"], flu, SAME_AS, active=False, date="20150131")
    release.associate(old["renamed"], flu, REPLACED_BY, active=False)
    release.associate(old["renamed"], flu, REPLACED_BY, date="20150131")  # an association revived
    release.associate(retired, flu, REPLACED_BY, module=MODEL_COMPONENT)
    release.associate(old["retired"], capital, REPLACED_BY)  # "Namespace" is not "namespace"
    return release
