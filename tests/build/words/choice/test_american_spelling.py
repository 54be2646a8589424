"""American spelling: word elements of medicine, and what is spelled alike on both sides."""

import pytest

from medgauge.build.words.choice.american_spelling import american_speller


@pytest.mark.parametrize(
    ("british", "american"),
    [
        *(("oedema", "edema"), ("lymphoedema", "lymphedema"), ("haematuria", "hematuria")),
        *(("ischaemia", "ischemia"), ("glycaemic", "glycemic"), ("diarrhoeal", "diarrheal")),
        *(("paediatric", "pediatric"), ("hyperaesthesia", "hyperesthesia"), ("aetiology", "etiology")),
        *(("caecum", "cecum"), ("faecal", "fecal"), ("coeliac", "celiac"), ("dyspnoea", "dyspnea")),
        *(("foetus", "fetus"), ("gynaecology", "gynecology"), ("leucocytes", "leukocytes")),
        *(("sulphate", "sulfate"), ("amoebae", "amebae"), ("phaeochromocytoma", "pheochromocytoma")),
        *(("oesophagitis", "esophagitis"), ("transoesophageal", "transesophageal")),
        *(
            ("gastro-oesophageal", "gastro-esophageal"),
            ("oestradiol", "estradiol"),
            ("anoestrus", "anestrus"),
        ),
        *(("hydrolyse", "hydrolyze"), ("dialysed", "dialyzed"), ("depolymerise", "depolymerize")),
        *(("catheterised", "catheterized"), ("localises", "localizes"), ("randomisation", "randomization")),
        *(("antitumour", "antitumor"), ("naevus", "nevus"), ("anaemia", "anemia"), ("analyse", "analyze")),
    ],
)
def test_british_spellings_become_american(british, american):
    assert american_speller()(british) == american


@pytest.mark.parametrize(
    "word",
    [
        *(
            "valise",
            "cerise",
            "angioedema",
            "gastroesophageal",
            "tracheoesophageal",
            "phytoestrogen",
            "proestrus",
            "lyse",
            "analyses",
        ),
        *("haemophilus", "haemolyticus", "faecalis", "gonorrhoeae", "entamoeba", "improvisation", "exercise"),
        *("advise", "paracetamol", "kinase", "il-2", "encephalitis"),
    ],
)
def test_what_is_american_or_the_name_of_an_organism_stays(word):
    assert american_speller()(word) == word
