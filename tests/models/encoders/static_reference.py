"""A static model written from its definition: the mean of its tokens' vectors, in plain Python."""

import math


def static_vector(tokens, rows, *, mapping=None, weights=None, normalize=False):
    total = [0.0] * len(rows[0])
    for token in tokens:
        row = rows[token if mapping is None else mapping[token]]
        for place, value in enumerate(row):
            total[place] += float(value) * (1.0 if weights is None else float(weights[token]))
    mean = [value / len(tokens) for value in total]
    norm = math.sqrt(sum(value * value for value in mean))
    return [value / norm for value in mean] if normalize and norm else mean
