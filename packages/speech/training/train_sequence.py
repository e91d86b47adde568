"""Trains the sequence model, which scores a whole utterance: python3 train_sequence.py FEATURES.jsonl sequence.onnx [FOLDS.json N]

Based on GOPT (Gong et al., 2022): small networks over an utterance's phones predict the scores of phones, words and sentence. They read the
trees' features of each phone and the output of the acoustic network's last layer. Recurrent networks and networks with attention are trained
from different seeds, and their mean is exported. The training data are learners and native readers. With FOLDS.json (adapt.py --print-folds)
and N, the learners of that fold are excluded, and it prints Pearson's correlation (PCC) with the experts for them, and the scores of held-out
readers of other English. Takes four minutes on one core.
"""
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from export_acoustic import round_weights
from network import AttentionBlock
from scorer_rows import CATEGORIES, is_learner, is_natural, lines_of
from train_scorer import is_left_out

SENTENCE_TARGETS = ["sentence-accuracy", "sentence-fluency", "sentence-prosody"]
UNKNOWN = float("nan")

BATCH, WIDTH, WEIGHT_DECAY = 32, 64, 2e-2
# The output of the acoustic network's last layer is reduced to this width, and half of it is dropped, to prevent overfitting to the experts' scores.
EMBEDDING, SQUEEZED, EMBEDDING_DROPOUT = 192, 64, 0.5
KINDS = {"recurrent": dict(seeds=3, epochs=6, rate=2e-3, dropout=0.25), "attention": dict(seeds=3, epochs=10, rate=1.5e-3, dropout=0.2)}
PHONE_WEIGHT, WORD_WEIGHT, SENTENCE_WEIGHT = 8, 0.3, 0.3
# The weight of one minus the correlation within a batch, because agreement is measured by correlation.
CORRELATION_WEIGHT = 1
# Measures are clipped at this many standard deviations.
OUTLIER = 4


class Recurrent(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.g = nn.GRU(WIDTH, WIDTH, bidirectional=True, batch_first=True, num_layers=2, dropout=dropout)
        self.width = 2 * WIDTH

    def forward(self, h, _):
        return self.g(h)[0]


class Attention(nn.Module):
    """A convolution provides the position of a phone among its neighbours."""

    def __init__(self, dropout):
        super().__init__()
        self.near = nn.Conv1d(WIDTH, WIDTH, 5, padding=2)
        self.blocks = nn.ModuleList([AttentionBlock(WIDTH, dropout) for _ in range(2)])
        self.width = WIDTH

    def forward(self, h, mask):
        h = h.transpose(1, 2) * mask[:, None]
        h = h + F.relu(self.near(h))
        for block in self.blocks:
            h = block(h, mask[:, None])
        return h.transpose(1, 2)


class Sequence(nn.Module):
    """Normalised features of `batch` utterances -> phone scores 0-2, word scores 0-10, three sentence scores 0-10."""

    def __init__(self, kind, features, measures):
        super().__init__()
        dropout = KINDS[kind]["dropout"]
        self.phone = nn.Embedding(40, 16)
        self.rival = nn.Embedding(40, 8)
        self.e = nn.Linear(EMBEDDING, SQUEEZED)
        self.i = nn.Linear(features - EMBEDDING + SQUEEZED + 24, WIDTH)
        self.body = Recurrent(dropout) if kind == "recurrent" else Attention(dropout)
        self.de = nn.Dropout(EMBEDDING_DROPOUT)
        self.d = nn.Dropout(dropout)
        width = self.body.width
        self.p = nn.Linear(width, 1)
        self.w = nn.Linear(2 * width, 1)
        self.a = nn.Linear(width, 1)
        self.u = nn.Linear(measures, 32)
        self.s = nn.Linear(2 * width + 32, 3)

    def forward(self, x, categories, words, mask, utterance):
        """`words` (batch, words, phones) averages the phones of a word; `mask` (batch, phones) is 1 where there is a phone."""
        heard = F.relu(self.e(self.de(x[..., :EMBEDDING])))
        e = torch.cat([x[..., EMBEDDING:], self.phone(categories[..., -1]), self.rival(categories[..., 0]), heard], -1)
        h = self.d(self.body(self.d(F.relu(self.i(e))), mask))
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


def labelled(u):
    """A row for each phone as src/features/sequence-inputs.ts writes it, and the experts' scores."""
    columns = [u.pop("embedding"), u.pop("sequencePhones"), u.pop("contrast"), u.pop("phones")]
    u["x"] = np.concatenate([np.array(column, dtype=np.float32) for column in columns], 1)
    u["shares"] = np.zeros((len(u["wordLengths"]), len(u["x"])), dtype=np.float32)
    at = 0
    for word, length in enumerate(u["wordLengths"]):
        u["shares"][word, at : at + length] = 1 / length
        at += length
    for unused in ("words", "sequenceWords"):
        u.pop(unused, None)
    return u


def normalised(u, stats):
    """The tensors of a batch, as returned by `tensors`."""
    normal = lambda values, of: torch.from_numpy(np.clip((values - of[0]) / of[1], -OUTLIER, OUTLIER).astype(np.float32))
    return dict(
        x=normal(u["x"][:, :-CATEGORIES], stats[0]),
        categories=torch.from_numpy(u["x"][:, -CATEGORIES:].astype(np.int64)),
        shares=torch.from_numpy(u["shares"]),
        mask=torch.ones(len(u["x"])),
        utterance=normal(np.array(u["utterance"]), stats[1]),
        phone=torch.tensor([UNKNOWN if score is None else score for score in u["phoneScores"]], dtype=torch.float),
        word=torch.tensor(u["wordScores"], dtype=torch.float),
        sentence=torch.tensor(u["sentence"][:3], dtype=torch.float),
    )


def tensors(batch):
    padded = lambda name, value=0: nn.utils.rnn.pad_sequence([u[name] for u in batch], batch_first=True, padding_value=value)
    x, word = padded("x"), padded("word", UNKNOWN)
    words = torch.zeros(len(batch), word.shape[1], x.shape[1])
    for row, u in enumerate(batch):
        words[row, : u["shares"].shape[0], : u["shares"].shape[1]] = u["shares"]
    stacked = lambda name: torch.stack([u[name] for u in batch])
    return (x, padded("categories"), words, padded("mask"), stacked("utterance")), (padded("phone", UNKNOWN), word, stacked("sentence"))


def disagreement(ours, theirs):
    """One minus Pearson's correlation. All scores of a batch may be equal."""
    spread = lambda values: (values.var(unbiased=False) + 1e-3).sqrt()
    return 1 - ((ours - ours.mean()) * (theirs - theirs.mean())).mean() / (spread(ours) * spread(theirs))


def loss_of(ours, theirs):
    (p, w, s), (phone, word, sentence) = ours, theirs
    known_phone, known_word = ~phone.isnan(), ~word.isnan()
    p, phone, w, word = p[known_phone], phone[known_phone], w[known_word], word[known_word]
    errors = PHONE_WEIGHT * F.mse_loss(p, phone) + WORD_WEIGHT * F.mse_loss(w, word) + SENTENCE_WEIGHT * F.mse_loss(s, sentence)
    of_sentences = sum(disagreement(s[:, at], sentence[:, at]) for at in range(3)) / 1.5
    return errors + CORRELATION_WEIGHT * (disagreement(p, phone) + disagreement(w, word) + of_sentences)


def train(utterances, kind, seed):
    settings = KINDS[kind]
    torch.manual_seed(seed)
    rng = np.random.RandomState(seed)
    model = Sequence(kind, utterances[0]["x"].shape[1], len(utterances[0]["utterance"]))
    steps = (len(utterances) + BATCH - 1) // BATCH
    optimiser = torch.optim.AdamW(model.parameters(), settings["rate"], weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings["rate"], total_steps=steps * settings["epochs"], pct_start=0.15)
    for _ in range(settings["epochs"]):
        order = np.argsort(np.array([len(u["x"]) for u in utterances]) + rng.rand(len(utterances)) * 8)
        groups = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
        rng.shuffle(groups)
        for group in groups:
            inputs, scores = tensors([utterances[i] for i in group])
            loss = loss_of(model(*inputs), scores)
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
    return torch.from_numpy(u["x"])[None], torch.from_numpy(u["shares"])[None], torch.tensor([u["utterance"]], dtype=torch.float)


def report(scorer, utterances, readers):
    with torch.no_grad():
        predicted = [[part.numpy() for part in scorer(*inputs_of(u))] for u in utterances]
        of_readers = np.array([scorer(*inputs_of(u))[2].numpy() for u in readers])
    pairs = {name: [] for name in ("phone", "word-accuracy", *SENTENCE_TARGETS)}
    for u, (phones, words, sentence) in zip(utterances, predicted):
        pairs["phone"] += [(ours, theirs) for ours, theirs in zip(phones, u["phoneScores"]) if theirs is not None]
        pairs["word-accuracy"] += zip(words, u["wordScores"])
        for name, ours, theirs in zip(SENTENCE_TARGETS, sentence, u["sentence"]):
            pairs[name].append((ours, theirs))
    for name, both in pairs.items():
        if both:
            print(f"{name:20s} PCC {np.corrcoef(np.array(both).T)[0, 1]:.3f}", flush=True)
    print("held-out readers of other English, median:", np.median(of_readers, axis=0).round(2) if len(readers) else "none", flush=True)


if __name__ == "__main__":
    source, out, *without = sys.argv[1:]
    torch.set_num_threads(1)
    utterances = [labelled(u) for u in lines_of([source]) if is_natural(u) and u["sentence"] is not None]
    learned = [u for u in utterances if (not is_learner(u) or not is_left_out(u, *without)) and u["split"] != "heldout"]
    stats = statistics(learned)
    examples = [normalised(u, stats) for u in learned]
    models = [train(examples, kind, seed) for kind, settings in KINDS.items() for seed in range(settings["seeds"])]
    scorer = Scorer(models, stats).eval()
    held_out = [u for u in utterances if is_left_out(u, *without) and u["distort"] == "none"]
    report(scorer, held_out, [u for u in utterances if u["split"] == "heldout"])
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
