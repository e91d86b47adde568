"""Trains the sequence model, which scores a whole utterance: python3 train_sequence.py FEATURES.jsonl sequence.onnx [FOLDS.json N]

Based on GOPT (Gong et al., 2022): a small recurrent network over an utterance's phones predicts the scores of phones, words and sentence.
Several models are trained from different seeds, and their mean is exported. Learns from learners and from native readers: with planted exchanges
agreement with the experts falls (EXPERIMENTS.md). With FOLDS.json (adapt.py --print-folds) and N, it learns from no learner of that fold, and
prints Pearson's correlation (PCC) with the experts on these, and what held-out readers of other English get. Takes three minutes on one core.
"""
import collections
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from export_acoustic import round_weights
from scorer_rows import CATEGORIES, WORD_WITH_EXCHANGE, is_learner, is_natural, lines_of
from train_scorer import is_left_out

SENTENCE_TARGETS = ["sentence-accuracy", "sentence-fluency", "sentence-prosody"]
# What the experts gave to a phone that was exchanged, on average a little more than nothing.
EXCHANGED_PHONE = 0.2
UNKNOWN = float("nan")

SEEDS, BATCH, EPOCHS, RATE = 4, 32, 5, 2e-3
WIDTH, DROPOUT = 56, 0.25
PHONE_WEIGHT, WORD_WEIGHT, SENTENCE_WEIGHT = 8, 0.3, 0.3
# Measures are clipped at this many standard deviations.
OUTLIER = 4


class Sequence(nn.Module):
    """Normalised features of `batch` utterances -> phone scores 0-2, word scores 0-10, three sentence scores 0-10."""

    def __init__(self, features, measures):
        super().__init__()
        self.phone = nn.Embedding(40, 16)
        self.rival = nn.Embedding(40, 8)
        self.i = nn.Linear(features + 24, WIDTH)
        self.g = nn.GRU(WIDTH, WIDTH, bidirectional=True, batch_first=True, num_layers=2, dropout=DROPOUT)
        self.d = nn.Dropout(DROPOUT)
        self.p = nn.Linear(2 * WIDTH, 1)
        self.w = nn.Linear(4 * WIDTH, 1)
        self.a = nn.Linear(2 * WIDTH, 1)
        self.u = nn.Linear(measures, 32)
        self.s = nn.Linear(4 * WIDTH + 32, 3)

    def forward(self, x, categories, words, mask, utterance):
        """`words` (batch, words, phones) averages the phones of a word; `mask` (batch, phones) is 1 where there is a phone."""
        e = torch.cat([x, self.phone(categories[..., -1]), self.rival(categories[..., 0])], -1)
        h, _ = self.g(self.d(F.relu(self.i(e))))
        h = self.d(h)
        mean = (h * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        phone = 2 * torch.sigmoid(self.p(h)[..., 0] + 2)
        pooled = words @ h
        # Adding zeros of the right shape broadcasts the utterance's mean to any number of words.
        beside = torch.cat([pooled, pooled * 0 + mean[:, None]], -1)
        word = 10 * torch.sigmoid(self.w(beside)[..., 0] + 1)
        attention = torch.softmax(self.a(h)[..., 0] + (mask - 1) * 1e4, -1)
        summary = torch.cat([mean, (attention[..., None] * h).sum(1), F.relu(self.u(utterance))], -1)
        return phone, word, 10 * torch.sigmoid(self.s(self.d(summary)) + 1)


class Scorer(nn.Module):
    """The exported model: the mean of the models, with the product's features as input."""

    def __init__(self, models, stats):
        super().__init__()
        self.models = nn.ModuleList(models)
        for name, values in zip(("mean", "deviation", "own_mean", "own_deviation"), [*stats[0], *stats[1]]):
            self.register_buffer(name, torch.tensor(values, dtype=torch.float))

    def forward(self, phones, words, utterance):
        """(networks, phones, features), (networks, words, phones), (networks, measures)."""
        x = ((phones[..., :-CATEGORIES] - self.mean) / self.deviation).clamp(-OUTLIER, OUTLIER)
        own = ((utterance - self.own_mean) / self.own_deviation).clamp(-OUTLIER, OUTLIER)
        mask = phones[..., 0] * 0 + 1
        outputs = [model(x, phones[..., -CATEGORIES:].long(), words, mask, own) for model in self.models]
        return tuple(torch.stack(parts).mean(0).mean(0) for parts in zip(*outputs))


def tensors(batch, stats):
    longest = max(len(u["x"]) for u in batch)
    most = max(len(u["wordScores"]) for u in batch)
    size = len(batch)
    x = torch.zeros(size, longest, len(stats[0][0]))
    categories = torch.zeros(size, longest, CATEGORIES, dtype=torch.long)
    words = torch.zeros(size, most, longest)
    mask = torch.zeros(size, longest)
    phone = torch.full((size, longest), float("nan"))
    word = torch.full((size, most), float("nan"))
    normal = lambda values, of: np.clip((values - of[0]) / of[1], -OUTLIER, OUTLIER)
    for row, u in enumerate(batch):
        count = len(u["x"])
        x[row, :count] = torch.from_numpy(normal(u["x"][:, :-CATEGORIES], stats[0]))
        categories[row, :count] = torch.from_numpy(u["x"][:, -CATEGORIES:].astype(np.int64))
        mask[row, :count] = 1
        phone[row, :count] = torch.tensor([UNKNOWN if s is None else s for s in u["phoneScores"]])
        word[row, : len(u["wordScores"])] = torch.tensor(u["wordScores"], dtype=torch.float)
        at = 0
        for index, length in enumerate(u["wordLengths"]):
            words[row, index, at : at + length] = 1 / length
            at += length
    utterance = torch.tensor(normal(np.array([u["utterance"] for u in batch]), stats[1]), dtype=torch.float)
    sentence = torch.tensor([(u["sentence"] or [UNKNOWN] * 3)[:3] for u in batch], dtype=torch.float)
    return (x, categories, words, mask, utterance), (phone, word, sentence)


def mse_of_known(ours, theirs, known):
    """A batch may hold no utterance whose sentence was scored."""
    return F.mse_loss(ours[known], theirs[known]) if known.any() else ours.sum() * 0


def labelled(u):
    """Of an utterance with a planted exchange only the exchanged phone and its word are known."""
    u["x"] = np.array(u.pop("phones"), dtype=np.float32)
    if not is_natural(u):
        at = sum(u["wordLengths"][: u["exchanged"]["word"]]) + u["exchanged"]["phone"]
        u["phoneScores"] = [EXCHANGED_PHONE if index == at else None for index in range(len(u["x"]))]
        u["wordScores"] = [WORD_WITH_EXCHANGE if index == u["exchanged"]["word"] else UNKNOWN for index in range(len(u["wordLengths"]))]
        u["sentence"] = None
    return u


def report(name, rows, predicted, expected):
    """Averages the networks' predictions for the same item, as the product does; `rows` identify the items."""
    sums = collections.defaultdict(list)
    for row, ours, theirs in zip(rows, predicted, expected):
        sums[row].append((ours, theirs))
    ours, theirs = (np.array(side) for side in zip(*(np.mean(pairs, axis=0) for pairs in sums.values())))
    print(f"{name:20s} PCC {np.corrcoef(ours, theirs)[0, 1]:.3f}  MSE {((ours - theirs) ** 2).mean():.4f}", flush=True)


def train(utterances, stats, seed):
    torch.manual_seed(seed)
    rng = np.random.RandomState(seed)
    model = Sequence(len(stats[0][0]), len(stats[1][0]))
    steps = (len(utterances) + BATCH - 1) // BATCH
    optimiser = torch.optim.AdamW(model.parameters(), RATE, weight_decay=2e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps * EPOCHS, pct_start=0.15)
    for _ in range(EPOCHS):
        order = np.argsort(np.array([len(u["x"]) for u in utterances]) + rng.rand(len(utterances)) * 8)
        groups = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
        rng.shuffle(groups)
        for group in groups:
            inputs, (phone, word, sentence) = tensors([utterances[i] for i in group], stats)
            p, w, s = model(*inputs)
            known_phone, known_word, known_sentence = ~phone.isnan(), ~word.isnan(), ~sentence.isnan()
            loss = (
                PHONE_WEIGHT * F.mse_loss(p[known_phone], phone[known_phone])
                + WORD_WEIGHT * F.mse_loss(w[known_word], word[known_word])
                + SENTENCE_WEIGHT * mse_of_known(s, sentence, known_sentence)
            )
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimiser.step()
            schedule.step()
    return model.eval()


def statistics(utterances):
    phones = np.concatenate([u["x"][:, :-CATEGORIES] for u in utterances])
    rows = np.array([u["utterance"] for u in utterances], dtype=np.float32)
    return (phones.mean(0), phones.std(0) + 1e-4), (rows.mean(0), rows.std(0) + 1e-4)


def inputs_of(u):
    """One network's input to the exported model."""
    words = np.zeros((len(u["wordLengths"]), len(u["x"])), dtype=np.float32)
    at = 0
    for index, length in enumerate(u["wordLengths"]):
        words[index, at : at + length] = 1 / length
        at += length
    return torch.from_numpy(u["x"])[None], torch.from_numpy(words)[None], torch.tensor([u["utterance"]], dtype=torch.float)


if __name__ == "__main__":
    source, out, *without = sys.argv[1:]
    torch.set_num_threads(1)
    utterances = [labelled(u) for u in lines_of([source])]
    is_reader = lambda u: is_learner(u) or u["sentence"] is not None
    learned = [u for u in utterances if is_reader(u) and is_natural(u) and u["split"] != "heldout" and not is_left_out(u, *without)]
    held_out = [u for u in utterances if is_left_out(u, *without) and is_natural(u) and u["distort"] == "none"]
    stats = statistics(learned)
    scorer = Scorer([train(learned, stats, seed) for seed in range(SEEDS)], stats).eval()
    if held_out:
        with torch.no_grad():
            predicted = [[part.numpy() for part in scorer(*inputs_of(u))] for u in held_out]
        judged = lambda u: [(u["id"], at, theirs) for at, theirs in enumerate(u["phoneScores"]) if theirs is not None]
        report(
            "phone",
            [(name, at) for u in held_out for name, at, _ in judged(u)],
            [p[0][at] for u, p in zip(held_out, predicted) for _, at, _ in judged(u)],
            [theirs for u in held_out for _, _, theirs in judged(u)],
        )
        report(
            "word-accuracy",
            [(u["id"], at) for u in held_out for at in range(len(u["wordScores"]))],
            [score for p in predicted for score in p[1]],
            [score for u in held_out for score in u["wordScores"]],
        )
        for target, name in enumerate(SENTENCE_TARGETS):
            report(name, [u["id"] for u in held_out], [p[2][target] for p in predicted], [u["sentence"][target] for u in held_out])
    readers = [u for u in utterances if u["split"] == "heldout" and is_natural(u) and u["sentence"] is not None]
    with torch.no_grad():
        of_readers = np.array([scorer(*inputs_of(u))[2].numpy() for u in readers])
    print("held-out readers of other English, median:", np.median(of_readers, axis=0).round(2) if len(readers) else "none")
    torch.onnx.export(
        scorer,
        tuple(torch.cat([part, part]) for part in inputs_of(learned[0])),
        out,
        input_names=["phones", "words", "utterance"],
        output_names=["phoneScores", "wordScores", "sentenceScores"],
        dynamic_axes={
            "phones": {0: "networks", 1: "phones"},
            "words": {0: "networks", 1: "words", 2: "phones"},
            "utterance": {0: "networks"},
            "phoneScores": {0: "phones"},
            "wordScores": {0: "words"},
        },
        opset_version=14,
    )
    round_weights(out)
