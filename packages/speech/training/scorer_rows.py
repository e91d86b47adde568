"""Rows and labels for the scorer's trees, from the lines of src/corpus/dump-features.ts; matches src/features/model-rows.ts."""
import json

import numpy as np

# The most likely rival, the previous and next phones, and the phone itself: the last columns of the placed features.
CATEGORIES = 4
# The experts' average score of a word with one phone that they scored 0 and otherwise good phones (467 words of the corpus).
WORD_WITH_EXCHANGE = 3.3
# Learners have full weight; other English shows how good speech sounds elsewhere, and exchanges how a wrong sound affects a word.
OTHER_ENGLISH_WEIGHT, EXCHANGE_WEIGHT = 0.15, 0.1


def lines_of(paths):
    """The utterances without those whose exchanged word was left out of the alignment."""
    lines = (json.loads(line) for path in paths for line in open(path))
    return [u for u in lines if is_natural(u) or u["exchanged"]["word"] >= 0]


def read(paths):
    return [prepared(u) for u in lines_of(paths)]


def prepared(u):
    u.pop("embedding", None)
    u["phoneRows"] = np.array([p + s + c for p, s, c in zip(u["phones"], u.pop("sequencePhones"), u["contrast"])], dtype=np.float32)
    u["categories"] = list(range(len(u["phones"][0]) - CATEGORIES, len(u["phones"][0])))
    u["wordParts"] = [np.concatenate([w, s, np.max(c, axis=0)]) for w, s, c in zip(u.pop("words"), u.pop("sequenceWords"), split(u.pop("contrast"), u))]
    if u["exchanged"] is not None:
        u["exchangedPhone"] = sum(u["wordLengths"][: u["exchanged"]["word"]]) + u["exchanged"]["phone"]
    return u


def split(phones, u):
    """Groups values of the phones of an utterance by word."""
    ends = np.cumsum(u["wordLengths"])
    return [phones[end - count : end] for end, count in zip(ends, u["wordLengths"])]


def is_natural(u):
    return u["exchanged"] is None


def is_learner(u):
    return u["corpus"] == "learners"


def phone_examples(utterances):
    """(row, experts' score 0-2, weight); phones of other English are assumed to be well said."""
    for u in filter(is_natural, utterances):
        weight = 1 if is_learner(u) else OTHER_ENGLISH_WEIGHT
        yield from ((row, score, weight) for row, score in zip(u["phoneRows"], u["phoneScores"]) if score is not None)


def exchange_examples(utterances):
    """(row, whether another phone was said, weight); phones that the experts called wrong have half the weight, because not all of them were exchanged."""
    for u in utterances:
        if not is_natural(u):
            yield u["phoneRows"][u["exchangedPhone"]], 1, 1
            continue
        for row, score in zip(u["phoneRows"], u["phoneScores"]):
            if score is not None and (score >= 1.5 or score <= 0.5):
                yield row, int(score <= 0.5), 1 if score >= 1.5 else 0.5


def word_rows(u):
    """Reads `predicted`, the scores of phones, and `exchanges`, the log-odds that they were exchanged, both from models that were not trained on the speaker."""
    overall = u["predicted"].mean()
    rows = []
    for parts, own, exchanges in zip(u["wordParts"], split(u["predicted"], u), split(u["exchanges"], u)):
        own = np.sort(own)
        rows.append(np.concatenate([parts, [own.mean(), own[0], overall, own[:2].mean(), exchanges.max()]]))
    return rows


def word_examples(utterances):
    for u in utterances:
        rows = word_rows(u)
        if not is_natural(u):
            yield rows[u["exchanged"]["word"]], WORD_WITH_EXCHANGE, EXCHANGE_WEIGHT
            continue
        weight = 1 if is_learner(u) else OTHER_ENGLISH_WEIGHT
        yield from ((row, score, weight) for row, score in zip(rows, u["wordScores"]) if score is not None)


SENTENCE_ASPECTS = ("accuracy", "fluency", "prosody")
WEAK_SCORE = 1.5


def sentence_row(u):
    """Also reads `predicted`."""
    own = u["predicted"]
    return np.concatenate([u["utterance"], [own.mean(), own.min(), *np.quantile(own, [0.1, 0.3]), (own < WEAK_SCORE).mean(), own.std()]])


def sentence_examples(utterances, aspect):
    """(row, score 0-10, weight): the experts' scores for learners, and those that list_recordings.py assumes for native readers."""
    for u in utterances:
        if is_natural(u) and u["sentence"] is not None:
            yield sentence_row(u), u["sentence"][aspect], 1
