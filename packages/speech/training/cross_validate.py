"""Measures the trees on speakers that they were not trained on: python3 cross_validate.py FEATURES.jsonl ...

Uses three folds over all speakers of all corpora; nothing is trained on those of the split `heldout`. For learners, children
and adults, it prints Pearson's correlation with the experts. For exchanged sounds, it prints how many lower their phone by 20 points, how
many lower their word by 10, and how many the detector finds when it calls 1, 3 or 5 in 100 good phones wrong. FEATURES.jsonl comes from
src/corpus/dump-features.ts. Takes five minutes on one core.
"""
import collections
import sys

import numpy as np

from scorer_rows import SENTENCE_ASPECTS, is_learner, is_natural, read, sentence_row, split, word_rows
from train_scorer import FOLDS, fit_exchanges, fit_phones, fit_sentences, fit_words, fold_of, predict_phones, predict_phones_crossed

# As in src/score/substitutions.ts, for a phone in a sentence: the loss in units of 0-2, the log-odds from which it applies, and its width.
LOWERED_BY, EXCHANGE_LOG_ODDS, RAMP = 0.45, -1.5, 1.5


def lowered(u):
    return np.maximum(0, u["predicted"] - LOWERED_BY * np.clip((u["exchanges"] - EXCHANGE_LOG_ODDS) / RAMP + 0.5, 0, 1))


def correlation(pairs):
    """Averages the networks' scores of the same item, as the product does."""
    items = collections.defaultdict(list)
    for item, ours, theirs in pairs:
        if theirs is not None:
            items[item].append((ours, theirs))
    return np.corrcoef(np.array([np.mean(opinions, axis=0) for opinions in items.values()]).T)[0, 1]


def report_learners(name, utterances):
    each = lambda u, ours, scores: [((u["id"], at), *pair) for at, pair in enumerate(zip(ours, u[scores]))]
    figures = {
        "phones": correlation([pair for u in utterances for pair in each(u, u["predicted"], "phoneScores")]),
        "phones, lowered": correlation([pair for u in utterances for pair in each(u, lowered(u), "phoneScores")]),
        "words": correlation([pair for u in utterances for pair in each(u, u["predictedWords"], "wordScores")]),
        **{
            aspect: correlation([(u["id"], u["predictedSentence"][at], u["sentence"][at]) for u in utterances])
            for at, aspect in enumerate(SENTENCE_ASPECTS)
        },
    }
    print(f"{name:12s}", "  ".join(f"{what} {figure:.3f}" for what, figure in figures.items()), flush=True)


def report_exchanges(name, utterances):
    natural, changes, log_odds = {}, collections.defaultdict(list), collections.defaultdict(list)
    for u in filter(is_natural, utterances):
        for word, phones, score in zip(u["wordIndex"], split(lowered(u), u), u["predictedWords"]):
            natural[u["id"], u["distort"], u["network"], word] = (phones, score)
        for at, score in enumerate(u["phoneScores"]):
            if score is not None and score >= 1.8:
                log_odds[u["id"], u["distort"], at].append((u["exchanges"][at], lowered(u)[at] < 1.4))
    for u in utterances:
        exchanged = u["exchanged"]
        before = None if exchanged is None else natural.get((u["id"], u["distort"], u["network"], u["wordIndex"][exchanged["word"]]))
        if before is None or exchanged["phone"] >= len(before[0]):
            continue
        at = u["exchangedPhone"]
        fall = before[0][exchanged["phone"]] - lowered(u)[at], before[1] - u["predictedWords"][exchanged["word"]]
        changes[u["id"], u["distort"], u["wordIndex"][exchanged["word"]], exchanged["phone"]].append((*fall, u["exchanges"][at]))
    if not changes:
        return
    good = np.array([np.mean(opinions, axis=0) for opinions in log_odds.values()])
    exchanged = np.array([np.mean(opinions, axis=0) for opinions in changes.values()])
    found = [f"{share}: {(exchanged[:, 2] > np.quantile(good[:, 0], 1 - share)).mean():.2f}" for share in (0.01, 0.03, 0.05)]
    print(
        f"{name:24s} {len(exchanged)} exchanged: phone by 20 {(exchanged[:, 0] >= 0.4).mean():.2f}, word by 10 {(exchanged[:, 1] >= 1).mean():.2f};",
        f"good phones below 70: {good[:, 1].mean():.3f}; found at false alarms of {', '.join(found)}",
        flush=True,
    )


if __name__ == "__main__":
    utterances = read(sys.argv[1:])
    teaches = lambda u: u["split"] != "heldout"
    for fold in range(FOLDS):
        known = [u for u in utterances if fold_of(u) != fold and teaches(u)]
        unknown = [u for u in utterances if (fold_of(u) == fold if teaches(u) else fold == 0)]
        predict_phones_crossed(known)
        words = fit_words(known)
        sentences = [fit_sentences(known, aspect) for aspect in range(len(SENTENCE_ASPECTS))]
        predict_phones(fit_phones(known), fit_exchanges(known), unknown)
        for u in unknown:
            u["unknownPhones"] = u["predicted"], u["exchanges"], words.predict(np.array(word_rows(u)))
            u["predictedSentence"] = [model.predict([sentence_row(u)])[0] for model in sentences]
    for u in utterances:
        u["predicted"], u["exchanges"], u["predictedWords"] = u["unknownPhones"]
    learners = [u for u in utterances if is_learner(u) and is_natural(u) and u["distort"] == "none"]
    report_learners("learners", learners)
    report_learners("children", [u for u in learners if u["age"] < 16])
    report_learners("adults", [u for u in learners if u["age"] >= 16])
    for corpus in sorted({u["corpus"] for u in utterances}):
        report_exchanges(corpus, [u for u in utterances if u["corpus"] == corpus and (is_learner(u) or not teaches(u))])
