"""Trains the scorer's tree models on the product's own features: python3 train_scorer.py FEATURES.jsonl ... ../models

FEATURES.jsonl comes from src/corpus/dump-features.ts. Takes a minute on two cores. Trains on the `train` split and
prints Pearson's correlation (PCC) with the experts on the `validation` split. The models for words and utterances also use predicted
phone scores, which for training speakers come from trees that never saw the speaker.
"""
import collections
import json
import struct
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

SETTINGS = dict(learning_rate=0.05, max_leaf_nodes=15, l2_regularization=5, early_stopping=False, random_state=0)
SENTENCE_TARGETS = ["sentence-accuracy", "sentence-fluency", "sentence-prosody"]
FOLDS = 3
# The most likely rival, the previous and next phones, and the phone itself.
CATEGORIES = 4
NUMBER_NODE, CATEGORY_NODE, LEAF = 0, 1, 2


def phone_rows(u):
    """Matches `phoneRows` in src/features/model-rows.ts."""
    return [placed + sequence for placed, sequence in zip(u["phones"], u["sequencePhones"])]


def placed_rows(u):
    """Sentences keep to these: with more, their scores moved more in noise."""
    return u["phones"]


def fit_phones(utterances, rows_of=phone_rows):
    """The last columns of the placed features are phones, which are categorical."""
    rows = [(x, y) for u in utterances for x, y in zip(rows_of(u), u["phoneScores"]) if y is not None]
    x, y = (np.array(column) for column in zip(*rows))
    end = len(utterances[0]["phones"][0])
    return HistGradientBoostingRegressor(
        **{**SETTINGS, "learning_rate": 0.1},
        max_iter=110,
        min_samples_leaf=40,
        categorical_features=list(range(end - CATEGORIES, end)),
    ).fit(x, y)


def predict_each(model, utterances, rows_of, name):
    """Keeps the predicted scores of the parts of each utterance under `name`."""
    predicted = model.predict(np.concatenate([rows_of(u) for u in utterances]))
    at = 0
    for utterance in utterances:
        count = len(rows_of(utterance))
        utterance[name] = predicted[at : at + count]
        at += count


def word_rows(u):
    """Matches `wordRows` in src/features/model-rows.ts."""
    rows, at = [], 0
    for placed, sequence, count in zip(u["words"], u["sequenceWords"], u["wordLengths"]):
        own = np.sort(u["predicted"][at : at + count])
        at += count
        rows.append(placed + sequence + [own.mean(), own[0], u["predicted"].mean(), own[:2].mean()])
    return rows


def utterance_row(u):
    """Matches `utteranceRow` in src/features/model-rows.ts."""
    p = u["predictedPlaced"]
    return u["utterance"] + [p.mean(), p.min(), np.quantile(p, 0.1), np.quantile(p, 0.3), (p < 1.5).mean(), p.std()]


def fit_words(utterances):
    x = np.concatenate([word_rows(u) for u in utterances])
    return HistGradientBoostingRegressor(**SETTINGS, max_iter=250, min_samples_leaf=40).fit(x, np.concatenate([u["wordScores"] for u in utterances]))


def fit_sentences(utterances, target):
    x = np.array([utterance_row(u) for u in utterances])
    return HistGradientBoostingRegressor(**SETTINGS, max_iter=100, min_samples_leaf=20).fit(x, [u["sentence"][target] for u in utterances])


def write_trees(model, path):
    """Writes the format that src/score/trees.ts reads."""
    predictors = [stage[0] for stage in model._predictors]
    with open(path, "wb") as out:
        baseline = float(np.ravel(model._baseline_prediction)[0])
        out.write(b"TRE2" + struct.pack("<HHf", model.n_features_in_, len(predictors), baseline))
        for predictor in predictors:
            out.write(struct.pack("<H", len(predictor.nodes)))
            for node in predictor.nodes:
                feature, left, right = int(node["feature_idx"]), int(node["left"]), int(node["right"])
                if node["is_leaf"]:
                    kind, content = LEAF, struct.pack("<d", float(node["value"]))
                    feature = 0
                elif node["is_categorical"]:
                    categories = predictor.raw_left_cat_bitsets[node["bitset_idx"]]
                    kind, content = CATEGORY_NODE, struct.pack("<II", int(categories[0]), int(categories[1]))
                else:
                    kind, content = NUMBER_NODE, struct.pack("<d", float(node["num_threshold"]))
                out.write(struct.pack("<BBHHH", kind, 0, feature, left, right) + content)


def report(name, rows, predicted, expected):
    """Averages the networks' predictions for the same item, as the product does; `rows` identify the items."""
    sums = collections.defaultdict(list)
    for row, ours, theirs in zip(rows, predicted, expected):
        sums[row].append((ours, theirs))
    ours, theirs = (np.array(side) for side in zip(*(np.mean(pairs, axis=0) for pairs in sums.values())))
    print(f"{name:20s} PCC {np.corrcoef(ours, theirs)[0, 1]:.3f}  MSE {((ours - theirs) ** 2).mean():.4f}", flush=True)


if __name__ == "__main__":
    *sources, out = sys.argv[1:]
    utterances = [json.loads(line) for source in sources for line in open(source)]
    train = [u for u in utterances if u["split"] == "train"]
    held_out = [u for u in utterances if u["split"] == "validation"]
    speakers = sorted({u["speaker"] for u in train})
    np.random.RandomState(0).shuffle(speakers)
    fold_of = {speaker: index % FOLDS for index, speaker in enumerate(speakers)}
    # What is learned from predicted scores meets scores of models that never met the speaker, as in use.
    fit_placed = lambda some: fit_phones(some, placed_rows)
    for fit, rows_of, name in ((fit_phones, phone_rows, "predicted"), (fit_placed, placed_rows, "predictedPlaced")):
        for fold in range(FOLDS):
            others = [u for u in train if fold_of[u["speaker"]] != fold]
            predict_each(fit(others), [u for u in train if fold_of[u["speaker"]] == fold], rows_of, name)

    phones = fit_phones(train)
    predict_each(phones, held_out, phone_rows, "predicted")
    judged = [
        ((u["id"], at), ours, theirs)
        for u in held_out
        for at, (ours, theirs) in enumerate(zip(u["predicted"], u["phoneScores"]))
        if theirs is not None
    ]
    report("phone", *zip(*judged))
    write_trees(phones, f"{out}/phone.trees")

    words = fit_words(train)
    predict_each(words, held_out, word_rows, "predictedWords")
    report(
        "word-accuracy",
        [(u["id"], at) for u in held_out for at in range(len(u["wordScores"]))],
        [score for u in held_out for score in u["predictedWords"]],
        [score for u in held_out for score in u["wordScores"]],
    )
    write_trees(words, f"{out}/word-accuracy.trees")

    placed = fit_placed(train)
    predict_each(placed, held_out, placed_rows, "predictedPlaced")
    write_trees(placed, f"{out}/sentence-phone.trees")
    for target, name in enumerate(SENTENCE_TARGETS):
        sentence = fit_sentences(train, target)
        predicted = sentence.predict(np.array([utterance_row(u) for u in held_out]))
        report(name, [u["id"] for u in held_out], predicted, [u["sentence"][target] for u in held_out])
        write_trees(sentence, f"{out}/{name}.trees")
