"""The acoustic network and its data: what training, export and evaluation share."""
import json
import random
import re

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

# Must stay in the order of packages/speech/src/pronounce/phones.ts; output 0 is the CTC blank.
PHONES = (
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH"
).split()
OUTPUT = {phone: index + 1 for index, phone in enumerate(PHONES)}


def outputs_of(utterance):
    """Phone outputs of an utterance, stress digits removed."""
    return [OUTPUT[re.sub(r"\d", "", p)] for w in utterance["words"] for p in w["phones"]]


def read_corpus(corpus):
    return [json.loads(line) for line in open(f"{corpus}/utterances.jsonl")]


def load_features(path):
    """Log-mel per utterance, zero mean and unit deviation a band: as signal/log-mel.ts does."""
    archive = np.load(path)
    features = {}
    for name in archive.files:
        mel = archive[name].astype(np.float32)
        features[name] = torch.tensor((mel - mel.mean(0)) / (mel.std(0) + 1e-3))
    return features


class Block(nn.Module):
    """Residual grouped dilated convolution."""

    def __init__(self, channels, dilation, dropout):
        super().__init__()
        self.n = nn.BatchNorm1d(channels)
        self.c = nn.Conv1d(channels, channels, 5, padding=2 * dilation, dilation=dilation, groups=4)
        self.p = nn.Conv1d(channels, channels, 1)
        self.d = dropout

    def forward(self, x):
        return x + F.dropout(self.p(F.relu(self.c(F.relu(self.n(x))))), self.d, self.training)


class AcousticModel(nn.Module):
    """(batch, frames, 64) log-mel -> (batch, ceil(frames / 2), 40) log-probabilities; 1.26 M parameters."""

    def __init__(self, channels=224, dropout=0.15):
        super().__init__()
        self.i = nn.Conv1d(64, channels, 5, stride=2, padding=2)
        self.b = nn.Sequential(*[Block(channels, d, dropout) for d in (1, 1, 2, 2, 4, 4, 1, 1)])
        self.n = nn.BatchNorm1d(channels)
        self.g = nn.GRU(channels, 128, bidirectional=True, batch_first=True)
        self.o = nn.Linear(256, len(PHONES) + 1)

    def forward(self, x):
        h = F.relu(self.n(self.b(self.i(x.transpose(1, 2)))))
        h, _ = self.g(h.transpose(1, 2))
        return F.log_softmax(self.o(F.dropout(h, 0.2, self.training)), -1)


def augment(x):
    """Speed, vocal-tract length, and masks in time and frequency (SpecAugment, Park et al. 2019)."""
    x = x.clone()
    speed = random.uniform(0.88, 1.12)
    x = F.interpolate(x.t()[None], scale_factor=speed, mode="linear", align_corners=False, recompute_scale_factor=False)[0].t()
    bands = max(32, int(64 * random.uniform(0.92, 1.08)))
    warped = F.interpolate(x[None, None], size=(x.shape[0], bands), mode="bilinear", align_corners=False)[0, 0]
    x = warped[:, :64] if bands >= 64 else F.pad(warped, (0, 64 - bands))
    for _ in range(2):
        width = random.randint(0, 10)
        start = random.randint(0, 64 - width)
        x[:, start : start + width] = 0
        length = random.randint(0, min(20, len(x) // 4))
        start = random.randint(0, len(x) - length)
        x[start : start + length] = 0
    return x


def batches(items, features, size, shuffle):
    """Batches of similar length; `items` are (id, outputs)."""
    key = lambda item: len(features[item[0]]) + (random.random() * 40 if shuffle else 0)
    ordered = sorted(items, key=key)
    groups = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    if shuffle:
        random.shuffle(groups)
    return groups


def collate(batch, features, training):
    inputs = [augment(features[name]) if training else features[name] for name, _ in batch]
    lengths = torch.tensor([(len(x) + 1) // 2 for x in inputs])
    return nn.utils.rnn.pad_sequence(inputs, batch_first=True), lengths, [labels for _, labels in batch]


def phone_error_rate(model, items, features):
    """Greedy CTC decoding against the labels: edits a phone."""
    model.eval()
    edits = total = 0
    with torch.no_grad():
        for batch in batches(items, features, 32, shuffle=False):
            inputs, lengths, labels = collate(batch, features, training=False)
            best = model(inputs).argmax(-1)
            for row, length, expected in zip(best, lengths, labels):
                heard, previous = [], 0
                for output in row[:length].tolist():
                    if output != previous and output:
                        heard.append(output)
                    previous = output
                edits += edit_distance(expected, heard)
                total += len(expected)
    return edits / total


def edit_distance(expected, heard):
    row = list(range(len(heard) + 1))
    for item in expected:
        before = row[:]
        row[0] += 1
        for j in range(1, len(row)):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (heard[j - 1] != item))
    return row[-1]
