"""ELMo written from its definition (Peters et al. 2018), a word at a time, in numpy."""

import numpy as np

BEGIN_SENTENCE, END_SENTENCE, BEGIN_WORD, END_WORD, PADDING = 256, 257, 258, 259, 260


def elmo_vector(words, options, weights):
    """Return the vector of a term: the mean over layers and words, forward half first."""
    by_word = [word_layers(place, words, options, weights) for place in range(len(words))]
    return np.mean([np.mean(layers, axis=0) for layers in by_word], axis=0)


def word_layers(place, words, options, weights):
    """Return the layers of the word at a place: its own vector twice, then each LSTM's two outputs."""
    sentence = [
        word_vector(characters, options, weights)
        for characters in [[BEGIN_SENTENCE], *(list(word.encode()) for word in words), [END_SENTENCE]]
    ]
    forward = read(sentence, "RNN_0", options, weights)
    backward = [outputs[::-1] for outputs in read(sentence[::-1], "RNN_1", options, weights)]
    at = place + 1
    return [
        np.concatenate([sentence[at], sentence[at]]),
        *(np.concatenate([one[at], other[at]]) for one, other in zip(forward, backward, strict=True)),
    ]


def word_vector(characters, options, weights):
    cnn = options["char_cnn"]
    longest = cnn["max_characters_per_token"]
    ids = [BEGIN_WORD, *characters[: longest - 2], END_WORD]
    embedded = weights["char_embed"][ids + [PADDING] * (longest - len(ids))].astype(float)
    features = []
    for number, (width, count) in enumerate(cnn["filters"]):
        kernel, bias = weights[f"CNN/W_cnn_{number}"][0], weights[f"CNN/b_cnn_{number}"]
        for one in range(count):
            at_places = [
                np.sum(embedded[first : first + width] * kernel[:, :, one]) + bias[one]
                for first in range(longest - width + 1)
            ]
            largest = max(at_places)
            features.append(np.tanh(largest) if cnn["activation"] == "tanh" else max(largest, 0.0))
    x = np.array(features)
    for number in range(cnn["n_highway"]):
        part = {name: weights[f"CNN_high_{number}/{name}"].astype(float) for name in HIGHWAY}
        carry = sigmoid(x @ part["W_carry"] + part["b_carry"])
        x = carry * np.maximum(x @ part["W_transform"] + part["b_transform"], 0) + (1 - carry) * x
    return x @ weights["CNN_proj/W_proj"].astype(float) + weights["CNN_proj/b_proj"]


HIGHWAY = ("W_carry", "b_carry", "W_transform", "b_transform")


def read(sequence, group, options, weights):
    """Return the outputs of each layer of LSTMs that read a sequence."""
    lstm = options["lstm"]
    found = []
    for layer in range(lstm["n_layers"]):
        name = f"{group}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
        weight, bias, projection = (weights[f"{name}/{one}"].astype(float) for one in ("W_0", "B", "W_P_0"))
        state, memory = np.zeros(lstm["projection_dim"]), np.zeros(lstm["dim"])
        outputs = []
        for x in sequence:
            i, j, f, o = np.split(np.concatenate([x, state]) @ weight + bias, 4)
            memory = clipped(sigmoid(f + 1) * memory + sigmoid(i) * np.tanh(j), lstm.get("cell_clip"))
            state = clipped((sigmoid(o) * np.tanh(memory)) @ projection, lstm.get("proj_clip"))
            outputs.append(state + x if layer and lstm.get("use_skip_connections") else state)
        found.append(outputs)
        sequence = outputs
    return found


def clipped(values, limit):
    return values if limit is None else np.clip(values, -limit, limit)


def sigmoid(values):
    return 1 / (1 + np.exp(-values))
