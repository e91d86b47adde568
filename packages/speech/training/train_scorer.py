"""Trains the scorer's tree models on the product's own features: python3 train_scorer.py FEATURES.jsonl ../models [FOLDS.json N]

FEATURES.jsonl comes from src/corpus/dump-features.ts. Three minutes on one core. The models: the experts' scores of phones, whether a phone was
exchanged for another one, and the experts' scores of words and of sentences, which also read predictions of the first two. Models that read
predictions are trained on those of models that were not trained on the speaker, as in use. `cross_validate.py` measures all models. With
FOLDS.json (adapt.py --print-folds) and N, no model is trained on the learners of that fold, so that the whole product can be measured on them.
"""
import functools
import json
import struct
import sys
import zlib

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from scorer_rows import SENTENCE_ASPECTS, exchange_examples, phone_examples, read, sentence_examples, word_examples

SETTINGS = dict(max_leaf_nodes=15, l2_regularization=5, early_stopping=False, random_state=0)
FOLDS = 3
NUMBER_NODE, CATEGORY_NODE, LEAF = 0, 1, 2


def fold_of(u):
    """The fold is the same in every corpus, so that a speaker is in one fold only."""
    return zlib.crc32((u["id"] if u["speaker"] == "unknown" else u["speaker"]).encode()) % FOLDS


def fitted(model, examples):
    x, y, weights = (np.array(column) for column in zip(*examples))
    return model.fit(x, y, sample_weight=weights)


def fit_phones(utterances):
    model = HistGradientBoostingRegressor(
        **SETTINGS, learning_rate=0.1, max_iter=110, min_samples_leaf=40, categorical_features=utterances[0]["categories"]
    )
    return fitted(model, phone_examples(utterances))


def fit_exchanges(utterances):
    model = HistGradientBoostingClassifier(
        **SETTINGS, learning_rate=0.08, max_iter=150, min_samples_leaf=30, categorical_features=utterances[0]["categories"]
    )
    return fitted(model, exchange_examples(utterances))


def fit_words(utterances):
    """Needs the predictions of `predict_phones`."""
    return fitted(HistGradientBoostingRegressor(**SETTINGS, learning_rate=0.05, max_iter=250, min_samples_leaf=40), word_examples(utterances))


def fit_sentences(utterances, aspect):
    """`aspect` is an index of SENTENCE_ASPECTS; needs the predictions of `predict_phones`."""
    settings = {**SETTINGS, "max_leaf_nodes": 8}
    return fitted(HistGradientBoostingRegressor(**settings, learning_rate=0.05, max_iter=150, min_samples_leaf=40), sentence_examples(utterances, aspect))


def predict_phones(phones, exchanges, utterances):
    rows = np.concatenate([u["phoneRows"] for u in utterances])
    ends = np.cumsum([len(u["phoneRows"]) for u in utterances])[:-1]
    for name, predicted in (("predicted", phones.predict(rows)), ("exchanges", exchanges.decision_function(rows))):
        for u, own in zip(utterances, np.split(predicted, ends)):
            u[name] = own


def predict_phones_crossed(utterances, inner_fold=fold_of):
    """Predicts each speaker with models that were not trained on them."""
    for fold in sorted({inner_fold(u) for u in utterances}):
        others = [u for u in utterances if inner_fold(u) != fold]
        predict_phones(fit_phones(others), fit_exchanges(others), [u for u in utterances if inner_fold(u) == fold])


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


def is_left_out(u, folds=None, fold=None):
    return folds is not None and folds_in(folds).get(u["speaker"]) == int(fold)


@functools.cache
def folds_in(path):
    with open(path) as file:
        return json.load(file)


if __name__ == "__main__":
    source, out, *without = sys.argv[1:]
    train = [u for u in read([source]) if u["split"] != "heldout" and not is_left_out(u, *without)]
    predict_phones_crossed(train)
    write_trees(fit_words(train), f"{out}/word-accuracy.trees")
    for aspect, name in enumerate(SENTENCE_ASPECTS):
        write_trees(fit_sentences(train, aspect), f"{out}/sentence-{name}.trees")
    write_trees(fit_phones(train), f"{out}/phone.trees")
    write_trees(fit_exchanges(train), f"{out}/exchange.trees")
