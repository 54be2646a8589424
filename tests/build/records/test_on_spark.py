"""The same builds and counts on DuckDB and on Spark; one session for all, since it takes long to start."""

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING

import polars as pl
import pytest

from medgauge.build.records.from_records import build_records
from medgauge.corpus.word_table import corpus_words
from medgauge.errors import EngineError
from tests.build.records.built_pairs import same_on_both
from tests.prerequisites import NEEDS_SPARK, is_there
from tests.support.counted_words import SOME_DOCUMENTS, write_corpus, write_journals
from tests.support.recorded_patients import (
    COMPLAINT,
    CONCEPTS,
    DIAGNOSIS,
    TERMS,
    Event,
    concept_ids,
    some_events,
    write_omop,
    write_table,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_there(NEEDS_SPARK), reason=NEEDS_SPARK),
    pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # PySpark leaves its sockets open
]
BRONCHITIS, COUGH, FEVER, EMPLOYED = "10509002", "49727002", "386661006", "224363007"
HEADACHE = "25064002"


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SparkSession"]:
    """Start Spark, and end its Java process after the tests; whatever it writes is in a temporary folder."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    # Tables are small: what Spark does to be fast with large ones takes most of its time here.
    java = f"-Djava.io.tmpdir={folder} -XX:-UsePerfData -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": java,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("medgauge")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    gateway = SparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(timeout=30)
    SparkContext._gateway = SparkContext._jvm = None
    gc.collect()  # sockets that are left, which would fail a later test


def test_spark_and_duckdb_find_the_same_pairs_and_counts(spark, tmp_path):
    events = some_events()
    events.append(Event("", COUGH, TERMS[COUGH], COMPLAINT, "2020-01-01"))
    events.append(Event(events[0].patient, FEVER, TERMS[FEVER], DIAGNOSIS, None))

    table = write_table(tmp_path / "events.parquet", events)
    spark.read.parquet(str(table)).createOrReplaceTempView("events")
    mapping = tmp_path / "mapping.csv"
    concepts = [concept.code for concept in CONCEPTS if concept.code != HEADACHE]
    mapping.write_text(
        "\n".join(["code,concept", *(f"{own},{own}" for own in concepts), f"{BRONCHITIS},{COUGH}"])
    )
    options = {"table": "events", "mapping": mapping, "max_concepts": 5}
    on_spark = {"connect": "pyspark://"}
    sources = {"source": table}, on_spark
    sheet = same_on_both("pyspark", tmp_path / "within-a-month", *sources, **options, window=30)
    assert sheet.found.cut > 10
    assert (sheet.found.without_patient, sheet.found.unmapped_codes) == (1, 1)
    assert sheet.found.left_out == {"without a date": 1}

    folder = write_omop(tmp_path / "omop", events[:-2], form="parquet", non_standard=True, unmapped=3)
    links = folder / "CONCEPT_RELATIONSHIP.parquet"
    ids, every = concept_ids(), pl.read_parquet(links)
    # Bronchitis as it is coded in ICD stands for a cough too.
    twice = every.filter(pl.col("concept_id_1") > 40_000_000, pl.col("concept_id_2") == ids[BRONCHITIS])
    twice = twice.filter(pl.col("invalid_reason").is_null()).with_columns(concept_id_2=pl.lit(ids[COUGH]))
    assert twice.height == 1
    pl.concat([every, twice.cast(every.schema)]).write_parquet(links)
    spark.sql("CREATE DATABASE cdm")
    for path in folder.iterdir():
        spark.catalog.createTable(f"cdm.{path.stem.lower()}", str(path), source="parquet")
    excluded = tmp_path / "administrative.txt"
    excluded.write_text(EMPLOYED)
    sheet = same_on_both(
        "pyspark", tmp_path / "of-omop", {"source": folder}, {**on_spark, "schema": "cdm"}, exclude=excluded
    )
    assert sheet.found.steps[4].concepts < sheet.found.steps[3].concepts


def test_a_query_that_spark_refuses_is_not_printed_with_its_salt(spark, monkeypatch, capfd):
    monkeypatch.setattr("medgauge.records.patient_key.token_bytes", bytes)
    query = "SELECT 'P1' AS patient, '49727002' AS code, true AS date"
    spark.sql(query).createOrReplaceTempView("dated_by_truth")
    with pytest.raises(EngineError, match=r"the engine pyspark failed \(AnalysisException\)"):
        build_records(connect="pyspark://", table="dated_by_truth")
    printed = "".join(capfd.readouterr())
    assert bytes(16).hex() not in printed
    assert "sha2" not in printed


@pytest.mark.parametrize("tagged", [False, True])
def test_spark_and_duckdb_count_the_same_words(spark, tmp_path, monkeypatch, tagged):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    corpus = write_corpus(tmp_path / "[a].parquet", SOME_DOCUMENTS, tagged=tagged)
    journals = write_journals(tmp_path / "journals.tsv")
    here = corpus_words(corpus, journals=journals)
    there = corpus_words(corpus, journals=journals, connect="pyspark://")
    assert there.frame.equals(here.frame)
    assert there.card == here.card
