"""The slow, obvious version of dependency contexts: one token after another."""


def contexts(sentence):
    """Return the pairs of a word and a context in a sentence of (token, head, relation)."""
    words = [token.lower() for token, _, _ in sentence]
    heads = [head - 1 if head else None for _, head, _ in sentence]
    relations = [relation for _, _, relation in sentence]
    bases = [relation.split(":")[0] for relation in relations]
    pairs, gone = [], set()
    labels, over = list(relations), list(heads)

    def is_case(row):
        head = heads[row]
        return (
            bases[row] == "case"
            and head is not None
            and bases[head] in ("obl", "nmod")
            and relations[head] != "nmod:poss"
        )

    for row, _ in enumerate(words):
        if bases[row] in ("obl", "nmod"):
            marks = []
            for other, head in enumerate(heads):
                if is_case(other) and head == row:
                    marks.append(other)
                if bases[other] == "fixed" and head is not None and is_case(head) and heads[head] == row:
                    marks.append(other)
            if marks:
                labels[row] = "_".join([relations[row], *(words[mark] for mark in marks)])
                gone |= set(marks)
        if bases[row] == "pobj" and heads[row] is not None and bases[heads[row]] == "prep":
            top, phrase = heads[row], [words[heads[row]]]
            gone.add(top)
            for _ in range(8):
                if heads[top] is None or bases[heads[top]] != "prep":
                    break
                top = heads[top]
                phrase.insert(0, words[top])
                gone.add(top)
            labels[row], over[row] = "_".join(["prep", *phrase]), heads[top]
    for row, word in enumerate(words):
        if row not in gone and over[row] is not None:
            head = words[over[row]]
            pairs += [(head, f"{word}/{labels[row]}"), (word, f"{head}/{labels[row]}-1")]
    return pairs
