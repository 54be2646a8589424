"""The baseline of types after permutations, compared with pandas and scipy one permutation after another.

As many pairs as EHR-RelB has, with scores of ten values and 25 made-up types of uneven frequency. The peer
groups with pandas, takes medians and calls `scipy.stats.spearmanr` for each permutation; it runs on fewer
permutations, on the same shuffled scores, finds the same ρ, and is extrapolated by their number. Then the
whole of `medgauge coverage` on five published sets, if they are on this machine.
"""

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

import medgauge
from common import best_time, print_table
from medgauge.catalog.datasets import datasets_here
from medgauge.stats.systems.combination_chance import CombinationChance, combination_chance

PAIRS, TYPES, PERMUTATIONS, BY_PEER = 3_630, 25, 999, 50
SETS = ["ehr-rel-b", "umnsrs-sim", "umnsrs-rel", "mayosrs", "bio-simlex"]


def main() -> None:
    """Measure, and print a table."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 10, PAIRS).astype(np.float64)
    names = np.array([f"type {number}" for number in range(TYPES)])
    first, second = (names[(rng.random(PAIRS) ** 3 * TYPES).astype(int)] for _ in range(2))

    def ours(permutations: int = PERMUTATIONS) -> CombinationChance:
        rng = np.random.default_rng(1)
        return combination_chance(gold, first, second, permutations=permutations, rng=rng)

    frame = pd.DataFrame(
        {"types": [" ".join(sorted(both)) for both in zip(first, second, strict=True)], "gold": gold}
    )
    # In the order of the combinations, as the scores are that are shuffled.
    frame = frame[frame.groupby("types")["gold"].transform("size") > 1].sort_values("types", kind="stable")

    def peer() -> list[float]:
        rng = np.random.default_rng(1)
        scores = frame["gold"].to_numpy()
        found = []
        for _ in range(BY_PEER):
            shuffled = pd.Series(scores[rng.permutation(len(scores))], index=frame.index)
            medians = shuffled.groupby(frame["types"]).transform("median")
            found.append(float(spearmanr(shuffled, medians).statistic))
        return sorted(found)

    assert np.allclose(ours(BY_PEER).permuted, peer())
    seconds, of_peer = best_time(ours), best_time(peer) * PERMUTATIONS / BY_PEER
    rows = [
        ["pandas and scipy, extrapolated", f"{of_peer:.1f}", "1"],
        ["medgauge", f"{seconds:.2f}", f"{of_peer / seconds:.0f}"],
    ]
    if {*SETS} <= {*datasets_here()}:
        whole = best_time(lambda: medgauge.coverage(SETS))
        rows.append([f"medgauge.coverage of {len(SETS)} sets", f"{whole:.1f}", ""])
    print_table(
        f"{PERMUTATIONS} permutations of the types of {PAIRS:,} pairs",
        ["what", "seconds", "times faster"],
        rows,
        [f"Best of 3, imports not counted; the peer runs {BY_PEER} permutations."],
    )


if __name__ == "__main__":
    main()
