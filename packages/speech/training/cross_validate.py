"""Agreement of the trees with the experts on speakers that they do not know: python3 cross_validate.py FEATURES.jsonl ... [--placed-only]

Three folds over ALL learners' speakers, children and adults alike in each; the validation speakers are not special. FEATURES.jsonl comes from
src/corpus/dump-features.ts. --placed-only leaves out the features that do not depend on where a phone was placed. A minute on one core.
"""
import collections
import json
import sys

import numpy as np

from train_scorer import FOLDS, fit_phones, fit_words, phone_rows, predict_each, word_rows


def folds_of(utterances, children):
    speakers = sorted({u["speaker"] for u in utterances})
    np.random.RandomState(0).shuffle(speakers)
    speakers.sort(key=lambda speaker: speaker in children)
    return {speaker: index % FOLDS for index, speaker in enumerate(speakers)}


def crossed(utterances, fold_of, fit, predict):
    for fold in range(FOLDS):
        known = [u for u in utterances if fold_of[u["speaker"]] != fold]
        predict(fit(known), [u for u in utterances if fold_of[u["speaker"]] == fold])


def correlation(pairs):
    """Averages the networks' opinions of the same item, as the product does."""
    items = collections.defaultdict(list)
    for item, ours, theirs in pairs:
        if theirs is not None:
            items[item].append((ours, theirs))
    ours, theirs = zip(*(np.mean(opinions, axis=0) for opinions in items.values()))
    return np.corrcoef(ours, theirs)[0, 1]


def report(name, utterances):
    figures = [
        correlation([((u["id"], at), *pair) for u in utterances for at, pair in enumerate(zip(u["predicted"], u["phoneScores"]))]),
        correlation([((u["id"], at), *pair) for u in utterances for at, pair in enumerate(zip(u["predictedWords"], u["wordScores"]))]),
    ]
    print(f"{name:9s}", "  ".join(f"{what} {figure:.3f}" for what, figure in zip(["phone", "word"], figures)), flush=True)


if __name__ == "__main__":
    sources = [source for source in sys.argv[1:] if not source.startswith("--")]
    utterances = [json.loads(line) for source in sources for line in open(source)]
    if "--placed-only" in sys.argv:
        for u in utterances:
            u.update(sequencePhones=[[]] * len(u["phones"]), sequenceWords=[[]] * len(u["words"]))
    children = {u["speaker"] for u in utterances if u["age"] < 16}
    fold_of = folds_of(utterances, children)
    crossed(utterances, fold_of, fit_phones, lambda model, some: predict_each(model, some, phone_rows, "predicted"))
    crossed(utterances, fold_of, fit_words, lambda model, some: predict_each(model, some, word_rows, "predictedWords"))
    report("all", utterances)
    report("children", [u for u in utterances if u["speaker"] in children])
    report("adults", [u for u in utterances if u["speaker"] not in children])
