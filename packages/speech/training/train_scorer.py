"""Trains the scorer's trees on the product's own features: python3 train_scorer.py FEATURES.jsonl ... ../models

FEATURES.jsonl comes from src/corpus/dump-features.ts. A minute on two cores. Learns from the split `train`, prints Pearson's
correlation (PCC) with the experts on the split `validation`. Words and utterances also learn from the phones' predicted scores;
for the speakers that are learned from these come from trees that never saw the speaker.
"""
import collections
import json
import struct
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

SETTINGS = dict(learning_rate=0.05, max_leaf_nodes=15, l2_regularization=5, early_stopping=False, random_state=0)
SENTENCE_TARGETS = ["sentence-accuracy", "sentence-fluency", "sentence-prosody"]
FOLDS = 5
# Of 0-2.
SAID_WELL_FROM = 1.8
# The likeliest rival, the phones before and after, the phone itself.
CATEGORIES = 4
NUMBER_NODE, CATEGORY_NODE, LEAF = 0, 1, 2


def fit_phones(utterances):
    """The last columns are phones: categories, not numbers."""
    rows = [(x, y) for u in utterances for x, y in zip(u["phones"], u["phoneScores"]) if y is not None]
    x, y = (np.array(column) for column in zip(*rows))
    return HistGradientBoostingRegressor(
        **SETTINGS, max_iter=250, min_samples_leaf=40, categorical_features=list(range(x.shape[1] - CATEGORIES, x.shape[1]))
    ).fit(x, y)


def exchanged_rows(good, mistaken):
    """1 where another sound was asked for than the one that was said well, 0 where the one that was said well was asked for."""
    rows = [(x, 0.0) for u in good for x, y in zip(u["phones"], u["phoneScores"]) if y is not None and y >= SAID_WELL_FROM]
    rows += [(x, 1.0) for u in mistaken for x, y in zip(u["phones"], u["phoneScores"]) if y is not None]
    return tuple(np.array(column) for column in zip(*rows))


def fit_exchanged(x, y):
    categories = list(range(x.shape[1] - CATEGORIES, x.shape[1]))
    return HistGradientBoostingRegressor(**SETTINGS, max_iter=250, min_samples_leaf=40, categorical_features=categories).fit(x, y)


def predict_phones(model, utterances):
    predicted = model.predict(np.array([x for u in utterances for x in u["phones"]]))
    at = 0
    for utterance in utterances:
        count = len(utterance["phones"])
        utterance["predicted"] = predicted[at : at + count]
        at += count


def word_rows(utterances):
    """As `withPhoneScores` in src/features/pronunciation-features.ts."""
    rows = []
    for u in utterances:
        at = 0
        for x, y, count in zip(u["words"], u["wordScores"], u["wordLengths"]):
            own = np.sort(u["predicted"][at : at + count])
            at += count
            rows.append((x + [own.mean(), own[0], u["predicted"].mean(), own[:2].mean()], y))
    return tuple(np.array(column) for column in zip(*rows))


def utterance_rows(utterances, target):
    """As `withPhoneScores` in src/features/pronunciation-features.ts."""
    rows = []
    for u in utterances:
        p = u["predicted"]
        own = [p.mean(), p.min(), np.quantile(p, 0.1), np.quantile(p, 0.3), (p < 1.5).mean(), p.std()]
        rows.append((u["utterance"] + own, u["sentence"][target]))
    return tuple(np.array(column) for column in zip(*rows))


def write_trees(model, path):
    """The format that src/score/trees.ts reads."""
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
    """`rows` name what was scored: the networks' predictions of the same thing are averaged, as the product does."""
    sums = collections.defaultdict(list)
    for row, ours, theirs in zip(rows, predicted, expected):
        sums[row].append((ours, theirs))
    ours, theirs = (np.array(side) for side in zip(*(np.mean(pairs, axis=0) for pairs in sums.values())))
    print(f"{name:20s} PCC {np.corrcoef(ours, theirs)[0, 1]:.3f}  MSE {((ours - theirs) ** 2).mean():.4f}", flush=True)


if __name__ == "__main__":
    *sources, out = sys.argv[1:]
    utterances = [json.loads(line) for source in sources for line in open(source)]
    mistaken = [u for u in utterances if u["isMistaken"]]
    utterances = [u for u in utterances if not u["isMistaken"]]
    train = [u for u in utterances if u["split"] == "train"]
    held_out = [u for u in utterances if u["split"] == "validation"]
    speakers = sorted({u["speaker"] for u in train})
    np.random.RandomState(0).shuffle(speakers)
    fold_of = {speaker: index % FOLDS for index, speaker in enumerate(speakers)}
    for fold in range(FOLDS):
        others = [u for u in train if fold_of[u["speaker"]] != fold]
        predict_phones(fit_phones(others), [u for u in train if fold_of[u["speaker"]] == fold])

    phones = fit_phones(train)
    predict_phones(phones, held_out)
    judged = [
        ((u["id"], at), ours, theirs)
        for u in held_out
        for at, (ours, theirs) in enumerate(zip(u["predicted"], u["phoneScores"]))
        if theirs is not None
    ]
    report("phone", *zip(*judged))
    write_trees(phones, f"{out}/phone.trees")

    exchanged = fit_exchanged(*exchanged_rows(train, [u for u in mistaken if u["split"] == "train"]))
    x, y = exchanged_rows(held_out, [u for u in mistaken if u["split"] == "validation"])
    probability = exchanged.predict(x)
    for bar in (0.3, 0.5, 0.7, 0.8, 0.9):
        told = probability >= bar
        print(f"exchanged >= {bar}: recall {told[y == 1].mean():.3f}, false alarms {told[y == 0].mean():.4f} of {(y == 0).sum()}")
    write_trees(exchanged, f"{out}/exchanged.trees")

    words = HistGradientBoostingRegressor(**SETTINGS, max_iter=250, min_samples_leaf=40).fit(*word_rows(train))
    x, y = word_rows(held_out)
    report("word-accuracy", [(u["id"], at) for u in held_out for at in range(len(u["wordScores"]))], words.predict(x), y)
    write_trees(words, f"{out}/word-accuracy.trees")

    for target, name in enumerate(SENTENCE_TARGETS):
        sentence = HistGradientBoostingRegressor(**SETTINGS, max_iter=150, min_samples_leaf=20)
        sentence.fit(*utterance_rows(train, target))
        x, y = utterance_rows(held_out, target)
        report(name, [u["id"] for u in held_out], sentence.predict(x), y)
        write_trees(sentence, f"{out}/{name}.trees")
