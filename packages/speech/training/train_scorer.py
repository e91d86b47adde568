"""Trains the scorer's trees on the product's own features: python3 train_scorer.py FEATURES.jsonl ../models

FEATURES.jsonl comes from src/corpus/dump-features.ts. Minutes on two cores. Learns from the split `train`,
prints Pearson's correlation (PCC) with the experts on the split `validation`.
"""
import json
import struct
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

SETTINGS = dict(learning_rate=0.05, max_leaf_nodes=15, l2_regularization=5, early_stopping=False)
SENTENCE_TARGETS = ["sentence-accuracy", "sentence-fluency", "sentence-prosody"]


def collect(utterances, split):
    """Rows and targets a model: {'phone': (X, y), ...}."""
    chosen = [u for u in utterances if u["split"] == split]
    phones = [(x, y) for u in chosen for x, y in zip(u["phones"], u["phoneScores"]) if y is not None]
    words = [(x, y) for u in chosen for x, y in zip(u["words"], u["wordScores"])]
    data = {"phone": phones, "word-accuracy": words}
    for index, name in enumerate(SENTENCE_TARGETS):
        data[name] = [(u["utterance"], u["sentence"][index]) for u in chosen]
    return {name: (np.array([x for x, _ in rows]), np.array([y for _, y in rows])) for name, rows in data.items()}


def write_trees(model, features, path):
    """The format that src/score/trees.ts reads."""
    predictors = [stage[0].nodes for stage in model._predictors]
    with open(path, "wb") as out:
        out.write(b"TRE1" + struct.pack("<HHf", features, len(predictors), float(np.ravel(model._baseline_prediction)[0])))
        for nodes in predictors:
            out.write(struct.pack("<H", len(nodes)))
            for node in nodes:
                leaf = bool(node["is_leaf"])
                feature = -1 if leaf else int(node["feature_idx"])
                number = float(node["value"] if leaf else node["num_threshold"])
                out.write(struct.pack("<hfHH", feature, number, int(node["left"]), int(node["right"])))


if __name__ == "__main__":
    source, out = sys.argv[1:3]
    utterances = [json.loads(line) for line in open(source)]
    train, validation = collect(utterances, "train"), collect(utterances, "validation")
    for name, (x, y) in train.items():
        is_sentence = name.startswith("sentence")
        model = HistGradientBoostingRegressor(
            **SETTINGS, max_iter=150 if is_sentence else 250, min_samples_leaf=20 if is_sentence else 40, random_state=0
        ).fit(x, y)
        held_x, held_y = validation[name]
        predicted = model.predict(held_x)
        pcc, mse = np.corrcoef(predicted, held_y)[0, 1], ((predicted - held_y) ** 2).mean()
        print(f"{name:20s} PCC {pcc:.3f}  MSE {mse:.3f}  rows {len(y)}", flush=True)
        write_trees(model, x.shape[1], f"{out}/{name}.trees")
