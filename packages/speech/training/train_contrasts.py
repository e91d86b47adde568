"""Trains the model that tells confusable phones apart: python3 train_contrasts.py SHARDS ALIGNMENTS.jsonl HEARD.jsonl ../models/contrasts.json

Stage one: for each pair of phones that learners confuse, a linear discriminant analysis of how their segments sound. Its data are SHARDS,
with the positions of the phones from ALIGNMENTS (align_phones.py), and HEARD (src/corpus/dump-contrasts.ts), with positions from the product.
Stage two: a logistic regression on that discriminant and the networks' log-likelihood ratio over HEARD, so that the sum is the log-odds that
the product measures. The regression and the printed figures use discriminants that were trained on neither the voice nor the speaker.
"""
import collections
import json
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

from phones import OUTPUT
from shards import BANDS, LOWEST, STEP, read_shards

CEPSTRA, CONTEXT = 20, 4
COSINES = (np.cos(np.pi * np.arange(CEPSTRA)[:, None] * (np.arange(BANDS)[None] + 0.5) / BANDS) / 8).astype(np.float32)
# Must match src/pronounce/confusable-phones.ts.
PAIRS = [
    tuple(pair.split("-"))
    for pair in (
        "TH-S DH-D TH-T DH-Z V-W L-R L-N IH-IY EH-AE B-P D-T G-K Z-S SH-S AH-AE UH-UW N-NG F-P V-B CH-SH TH-F ER-AH OW-AO EY-EH F-HH M-N JH-CH"
    ).split()
]
WELL_SAID_FROM, WORST_FIT = 1.8, -2.5
# The most examples of a phone from one voice or corpus, so that none dominates.
MOST_OF_SOURCE = 700
SHRINKAGE = 0.03
MAX_LOG_RATIO = 12
FOLDS = 5


def segment_features(mel, spans):
    """Matches src/contrast/segment-features.ts; `mel` is normalised, and `spans` are in frames of 10 ms."""
    frames = len(mel)
    sums = np.vstack([np.zeros((1, CEPSTRA), np.float32), np.cumsum(mel @ COSINES.T, 0)])

    def mean(begin, end):
        first = np.clip(np.floor(begin + 0.5).astype(int), 0, frames - 1)
        last = np.clip(np.floor(end + 0.5).astype(int), first + 1, frames)
        return (sums[last] - sums[first]) / (last - first)[:, None]

    begin, end = np.array(spans, float).T
    third = (end - begin) / 3
    parts = [
        mean(begin - CONTEXT, begin),
        mean(begin, begin + third),
        mean(begin + third, begin + 2 * third),
        mean(begin + 2 * third, end),
        mean(end, end + CONTEXT),
    ]
    return np.hstack([*parts, np.log(np.maximum(end - begin, 1))[:, None]])


def segments_of(shards, alignment_file):
    """(features, outputs, sources, speakers) of every phone that was said well and whose position is known."""
    alignments = {line["id"]: line for line in map(json.loads, open(alignment_file))}
    items, features = read_shards(shards, [""])
    random_ = np.random.RandomState(0)
    rows, outputs, sources, speakers = [], [], [], []
    for item in items:
        known = alignments.get(item["id"], item)
        if "spans" not in known or known.get("fit", 0) < WORST_FIT:
            continue
        mel = features[item["at"] : item["at"] + item["frames"]].astype(np.float32) * STEP + LOWEST
        spans = np.array(known["spans"], float)
        if known is item:
            # The product finds boundaries to about a frame.
            spans += random_.uniform(-2, 2, spans.shape)
            spans[:, 1] = np.maximum(spans[:, 1], spans[:, 0] + 2)
        own = segment_features((mel - mel.mean(0)) / (mel.std(0) + 1e-3), spans)
        scores = item.get("scores") or [2] * len(own)
        said_well = [len(scores) == len(own) and (score or 0) >= WELL_SAID_FROM for score in scores[: len(own)]]
        keep = np.array(said_well + [False] * (len(own) - len(said_well)))
        rows.append(own[keep].astype(np.float32))
        outputs += list(np.array(known["outputs"])[keep])
        speakers += [item["speaker"]] * int(keep.sum())
        sources += [item["speaker"] if item["corpus"] == "synthetic" else item["corpus"]] * int(keep.sum())
    return np.vstack(rows), np.array(outputs), np.array(sources), np.array(speakers)


def capped(outputs, sources):
    counts = collections.Counter()
    keep = np.zeros(len(outputs), bool)
    for index in np.random.RandomState(1).permutation(len(outputs)):
        key = outputs[index], sources[index]
        counts[key] += 1
        keep[index] = counts[key] <= MOST_OF_SOURCE
    return keep


def discriminants(rows, outputs):
    """For each pair, the weights and bias of the log-odds of its second phone."""
    found = {}
    for pair in PAIRS:
        first, second = (rows[outputs == OUTPUT[phone]] for phone in pair)
        within = (np.cov(first.T) * len(first) + np.cov(second.T) * len(second)) / (len(first) + len(second))
        within += np.eye(len(within)) * SHRINKAGE * np.trace(within) / len(within)
        means = first.mean(0), second.mean(0)
        weights = np.linalg.solve(within, means[1] - means[0])
        found[pair] = weights, -weights @ (means[0] + means[1]) / 2
    return found


def heard_examples(path):
    """For each pair, (segment, mean log ratio of the second phone, 1 if the second was said, group)."""
    examples = {pair: [] for pair in PAIRS}
    for line in map(json.loads, open(path)):
        group = line["id"].split(":")[0] if line["kind"] == "synthetic" else line.get("speaker", line["id"])
        scores = line.get("scores") or []
        for index, phone in enumerate(line.get("phones", [])):
            if scores and (len(scores) != len(line["phones"]) or (scores[index] or 0) < WELL_SAID_FROM):
                continue
            for pair in PAIRS:
                if phone["output"] in (OUTPUT[pair[0]], OUTPUT[pair[1]]):
                    is_second = phone["output"] == OUTPUT[pair[1]]
                    ratios = np.clip(phone["ratios"][pair[0] if is_second else pair[1]], -MAX_LOG_RATIO, MAX_LOG_RATIO)
                    examples[pair].append((phone["segment"], ratios.mean() * (-1 if is_second else 1), is_second, group, line["kind"]))
    return examples


def table_of(examples, found):
    """Rows (pair, discriminant, ratio), labels and groups."""
    rows, labels, groups, kinds = [], [], [], []
    for at, pair in enumerate(PAIRS):
        weights, bias = found[pair]
        for segment, ratio, is_second, group, kind in examples[pair]:
            rows.append((at, weights @ np.array(segment) + bias, ratio))
            labels.append(int(is_second))
            groups.append(group)
            kinds.append(kind)
    return np.array(rows), np.array(labels), np.array(groups), np.array(kinds)


def design(rows):
    """Both measures for all pairs together, and per pair with a penalty, so that rare pairs follow the others."""
    at = rows[:, 0].astype(int)
    own = np.zeros((len(rows), 3 * len(PAIRS)))
    own[np.arange(len(rows)), at] = 1.5
    own[np.arange(len(rows)), len(PAIRS) + at] = rows[:, 1] / 3
    own[np.arange(len(rows)), 2 * len(PAIRS) + at] = rows[:, 2] / 3
    return np.hstack([rows[:, 1:], own])


def fitted(rows, labels):
    counts = collections.Counter(zip(rows[:, 0], labels))
    weights = np.array([1 / (20 + counts[pair, label]) for pair, label in zip(rows[:, 0], labels)])
    return LogisticRegression(C=3.0, max_iter=2000, fit_intercept=False).fit(design(rows), labels, sample_weight=weights * 20)


def report(rows, labels, kinds, odds):
    """Prints by kind of recording the share told apart, and the shares right and wrong with log-odds above 1, averaged over both phones."""
    toward = np.where(labels == 1, odds, -odds)
    for name in [*sorted(set(kinds)), None]:
        chosen = kinds == name if name else np.ones(len(kinds), bool)
        figures = []
        for at in range(len(PAIRS)):
            for label in (0, 1):
                some = toward[chosen & (rows[:, 0] == at) & (labels == label)]
                if len(some) >= 3:
                    figures.append([(some > 0).mean(), (some > 1).mean(), (some < -1).mean()])
        if figures:
            told, right, wrong = np.mean(figures, 0)
            print(f"{name or 'all':12s} {chosen.sum():6d} told apart {told:.3f}, surely {right:.3f}, wrongly {wrong:.3f}", flush=True)


def reliability(rows, labels, odds, at):
    toward = np.where(labels == 1, odds, -odds)
    shares = [(toward[(rows[:, 0] == at) & (labels == label)] > 0).mean() for label in (0, 1) if ((rows[:, 0] == at) & (labels == label)).any()]
    return float(np.mean(shares)) if len(shares) == 2 else 0.5


def heard_segments(heard):
    """The segments of HEARD, as further training data."""
    seen, rows, outputs, sources = set(), [], [], []
    for pair, examples in heard.items():
        for segment, _, is_second, group, kind in examples:
            key = group, tuple(segment[:6])
            if key not in seen:
                seen.add(key)
                rows.append(segment)
                outputs.append(OUTPUT[pair[int(is_second)]])
                sources.append((f"heard {group}" if kind == "synthetic" else f"heard {kind}", group))
    names, speakers = zip(*sources)
    return np.array(rows, np.float32), np.array(outputs), np.array(names), np.array(speakers)


def cross_validated(segments, heard):
    """The examples of HEARD with discriminants, and odds of a regression, that were trained on neither their voice nor their speaker."""
    rows, outputs, _, speakers = segments
    names = sorted({group for examples in heard.values() for *_, group, _ in examples})
    fold_of = {name: index % FOLDS for index, name in enumerate(np.random.RandomState(0).permutation(names))}
    tables = []
    for fold in range(FOLDS):
        # "flite-slt" here is "flite slt" in the shards.
        out = np.array([fold_of.get(name, fold_of.get(name.replace(" ", "-"), -1)) == fold for name in speakers])
        tables.append(table_of(heard, discriminants(rows[~out], outputs[~out])))
    _, labels, groups, kinds = tables[0]
    folds = np.array([fold_of[group] for group in groups])
    table = np.choose(folds[:, None], [own[0] for own in tables])
    odds = np.zeros(len(labels))
    for fold in range(FOLDS):
        odds[folds == fold] = fitted(table[folds != fold], labels[folds != fold]).decision_function(design(table[folds == fold]))
    report(table, labels, kinds, odds)
    return table, labels, odds


def write_model(path, found, model, checked):
    coefficients = model.coef_[0]
    rounded = lambda value: float(f"{value:.5g}")
    contrasts = []
    for at, pair in enumerate(PAIRS):
        count = len(PAIRS)
        scale = coefficients[0] + coefficients[2 + count + at] / 3
        weights, bias = found[pair]
        contrasts.append(
            {
                "phones": list(pair),
                "weights": [rounded(weight * scale) for weight in weights],
                "bias": rounded(bias * scale + 1.5 * coefficients[2 + at]),
                "sequenceWeight": rounded(coefficients[1] + coefficients[2 + 2 * count + at] / 3),
                "reliability": round(reliability(*checked, at), 3),
            }
        )
    with open(path, "w") as file:
        json.dump({"contrasts": contrasts}, file, separators=(",", ":"))
    for contrast in contrasts:
        print("-".join(contrast["phones"]), contrast["reliability"], contrast["sequenceWeight"])


def train(segments, heard_file, out):
    heard = heard_examples(heard_file)
    rows, outputs, sources, speakers = (np.concatenate(parts) for parts in zip(segments, heard_segments(heard)))
    keep = capped(outputs, sources)
    segments = rows[keep], outputs[keep], sources[keep], speakers[keep]
    table, labels, odds = cross_validated(segments, heard)
    write_model(out, discriminants(segments[0], segments[1]), fitted(table, labels), (table, labels, odds))


if __name__ == "__main__":
    shards, alignment_file, heard_file, out = sys.argv[1:]
    train(segments_of(shards, alignment_file), heard_file, out)
