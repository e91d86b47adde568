"""Trains one acoustic network: python3 train_acoustic.py CORPUS FEATURES.npz SPANS.jsonl OUT.pt FOLD [EPOCHS=24]

Trains on the speakers of the `train` split except those of FOLD (0 to 3; -1 excludes none), and saves the moving average of the
weights. SPANS.jsonl (src/corpus/dump-alignments.ts) contains the position of each phone.

There are four objectives: the phone sequence (CTC), the phone in each frame, the experts' score of each phone, and their three sentence
scores. Phones that the experts marked as wrong are excluded from the first two.
"""
import json
import random
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from acoustic import (
    CTC,
    FRAME,
    GOODNESS,
    SENTENCE,
    AcousticModel,
    batches,
    collate,
    fold_of_speakers,
    load_features,
    phone_error_rate,
    read_corpus,
)

BATCH, PEAK_RATE = 16, 2e-3
AVERAGED_OVER_STEPS = 200
FRAME_WEIGHT, GOODNESS_WEIGHT, SENTENCE_WEIGHT = 0.5, 4.0, 4.0
# A phone with a lower score (of 2) is not a good example of itself.
EXAMPLE_FROM = 1.3
IGNORED = -1


class Item:
    """An utterance's labels: outputs, their positions (frames of 20 ms), and the experts' scores."""

    def __init__(self, utterance, spans):
        self.id = utterance["id"]
        self.outputs = spans["outputs"]
        self.spans = np.array(spans["spans"], dtype=np.float32)
        self.frames = spans["frames"]
        scores = [s for w in utterance["words"] for s in (w["phonesAccuracy"] or [np.nan] * len(w["phones"]))]
        self.scores = np.array(scores, dtype=np.float32)
        self.sentence = [utterance[name] / 10 for name in ("accuracy", "fluency", "prosodic")]


def frame_targets(items, lengths):
    """(batch, frames): the phone in each frame, 0 for silence, IGNORED in padding and in mispronounced phones."""
    targets = torch.full((len(items), int(lengths.max())), IGNORED)
    for row, (item, length) in enumerate(zip(items, lengths.tolist())):
        targets[row, :length] = 0
        for output, score, (start, end) in zip(item.outputs, item.scores, item.spans * length / item.frames):
            targets[row, int(start) : max(int(start) + 1, int(end))] = IGNORED if score < EXAMPLE_FROM else output
    return targets


def goodness_loss(out, items, lengths):
    """Squared error of the phone scores, each computed as the mean of its channel over the phone's frames."""
    sums = F.pad(out[..., GOODNESS].cumsum(1), (0, 0, 1, 0))
    rows, starts, ends, channels, scores = [], [], [], [], []
    for row, (item, length) in enumerate(zip(items, lengths.tolist())):
        at = item.spans * length / item.frames
        start = np.minimum(at[:, 0].astype(int), length - 1)
        rows += [row] * len(start)
        starts += start.tolist()
        ends += np.minimum(np.maximum(at[:, 1].astype(int), start + 1), length).tolist()
        channels += [output - 1 for output in item.outputs]
        scores += item.scores.tolist()
    rows, starts, ends, channels, scores = (torch.tensor(x) for x in (rows, starts, ends, channels, scores))
    means = (sums[rows, ends, channels] - sums[rows, starts, channels]) / (ends - starts)
    judged = ~scores.isnan()
    return F.mse_loss(2 * torch.sigmoid(means[judged] + 2), scores[judged]), means.detach(), scores


def sentence_loss(out, items, lengths):
    mask = torch.arange(out.shape[1])[None] < lengths[:, None]
    means = (out[..., SENTENCE] * mask[..., None]).sum(1) / lengths[:, None]
    return F.mse_loss(torch.sigmoid(means), torch.tensor([item.sentence for item in items])), means.detach()


def update_average(average, model):
    with torch.no_grad():
        for ours, theirs in zip(average.state_dict().values(), model.state_dict().values()):
            if ours.dtype.is_floating_point:
                ours.lerp_(theirs, 1 / AVERAGED_OVER_STEPS)
            else:
                ours.copy_(theirs)


def correlations(model, items, features):
    """Pearson's correlation of goodness with the phone scores, and of the three sentence scores."""
    model.eval()
    pairs, sentences = [], []
    with torch.no_grad():
        for batch in batches([(item.id, item) for item in items], features, 32, shuffle=False):
            inputs, lengths, labels = collate(batch, features, training=False)
            out = model(inputs)
            _, means, scores = goodness_loss(out, labels, lengths)
            pairs += [(m, s) for m, s in zip(torch.sigmoid(means + 2).tolist(), scores.tolist()) if s == s]
            _, means = sentence_loss(out, labels, lengths)
            sentences += [(m, item.sentence) for m, item in zip(torch.sigmoid(means).tolist(), labels)]
    phone = np.corrcoef(*zip(*pairs))[0, 1]
    ours, experts = (np.array(side) for side in zip(*sentences))
    return phone, [np.corrcoef(ours[:, k], experts[:, k])[0, 1] for k in range(3)]


if __name__ == "__main__":
    corpus, archive, spans_file, out_file, fold = sys.argv[1:6]
    fold = int(fold)
    epochs = int(sys.argv[6]) if len(sys.argv) > 6 else 24
    torch.set_num_threads(int(sys.argv[7]) if len(sys.argv) > 7 else 2)
    torch.manual_seed(fold + 1)
    random.seed(fold + 1)
    np.random.seed(fold + 1)
    features = load_features(archive)
    spans = {line["id"]: line for line in map(json.loads, open(spans_file))}
    utterances = [u for u in read_corpus(corpus) if u["id"] in spans]
    folds = fold_of_speakers(utterances)
    learned = [Item(u, spans[u["id"]]) for u in utterances if u["split"] == "train" and folds[u["speaker"]] != fold]
    held_out = [Item(u, spans[u["id"]]) for u in utterances if u["split"] == "validation"]
    train = [(item.id, item) for item in learned]
    model, average = AcousticModel(), AcousticModel()
    average.load_state_dict(model.state_dict())
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.2f} M parameters, {len(train)} utterances")
    steps = len(batches(train, features, BATCH, True))
    optimiser = torch.optim.AdamW(model.parameters(), PEAK_RATE, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, total_steps=epochs * steps, pct_start=0.15)
    started = time.time()
    for epoch in range(epochs):
        model.train()
        losses = np.zeros(4)
        for batch in batches(train, features, BATCH, True):
            inputs, lengths, items = collate(batch, features, True)
            out = model(inputs)
            targets = torch.tensor(sum((item.outputs for item in items), []))
            label_lengths = torch.tensor([len(item.outputs) for item in items])
            parts = [
                F.ctc_loss(out[..., CTC].transpose(0, 1), targets, lengths, label_lengths, zero_infinity=True),
                FRAME_WEIGHT
                * F.nll_loss(out[..., FRAME].reshape(-1, 40), frame_targets(items, lengths).flatten(), ignore_index=IGNORED),
                GOODNESS_WEIGHT * goodness_loss(out, items, lengths)[0],
                SENTENCE_WEIGHT * sentence_loss(out, items, lengths)[0],
            ]
            optimiser.zero_grad()
            sum(parts).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            update_average(average, model)
            losses += [part.item() for part in parts]
        line = f"epoch {epoch} losses {' '.join(f'{x:.3f}' for x in losses / steps)}"
        if epoch % 4 == 3 or epoch == epochs - 1:
            rate = phone_error_rate(average, [(item.id, item.outputs) for item in held_out], features)
            phone, sentence = correlations(average, held_out, features)
            line += f" PER {rate:.4f} goodness {phone:.3f} sentence {' '.join(f'{x:.3f}' for x in sentence)}"
        print(f"{line} {int(time.time() - started)} s", flush=True)
        torch.save(average.state_dict(), out_file)
