"""Plain versions of what links words and of how pairs are drawn, to compare with."""

from itertools import combinations


def slow_synonyms(concepts):
    """Return the pairs of words that one concept has, of (concept, word) rows."""
    return {
        (min(one, other), max(one, other))
        for (concept, one), (again, other) in combinations(sorted(concepts), 2)
        if concept == again and one != other
    }


def slow_siblings(concepts, parents):
    """Return the pairs of words of two different concepts that have a parent in common."""
    found = set()
    for (one, first), (other, second) in combinations(sorted(concepts), 2):
        have = {parent for child, parent in parents if child == one}
        also = {parent for child, parent in parents if child == other}
        if one != other and first != second and have & also:
            found.add((min(first, second), max(first, second)))
    return found


def slow_taken(pairs, count, per_word):
    """Return the first pairs in which no word is too often."""
    taken = []
    for pair in pairs:
        often = [sum(word in one for one in taken) for word in pair]
        if len(taken) < count and max(often) < per_word:
            taken.append(pair)
    return taken
