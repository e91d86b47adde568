"""The acoustic network and its data loading, shared by training, export and evaluation.

python3 acoustic.py CORPUS > folds.json: prints which network excludes each speaker of the `train` split from training.
"""
import json
import random
import re
import sys

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
    """Phone outputs of an utterance without stress digits."""
    return [OUTPUT[re.sub(r"\d", "", p)] for w in utterance["words"] for p in w["phones"]]


FOLDS = 4


def fold_of_speakers(utterances):
    """Excludes each speaker of the `train` split from one network, so that the scorer is trained on output for unseen speakers."""
    speakers = sorted({u["speaker"] for u in utterances if u["split"] == "train"})
    random.Random(0).shuffle(speakers)
    return {speaker: index % FOLDS for index, speaker in enumerate(speakers)}


def read_corpus(corpus):
    return [json.loads(line) for line in open(f"{corpus}/utterances.jsonl")]


def load_features(path):
    """Log-mel features by utterance."""
    archive = np.load(path)
    return {name: torch.tensor(archive[name].astype(np.float32)) for name in archive.files}


def normalised(mel):
    """Normalises each band to zero mean and unit deviation, as in signal/log-mel.ts."""
    return (mel - mel.mean(0)) / (mel.std(0, unbiased=False) + 1e-3)


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


# The network's output per frame: CTC log-probabilities with the blank, frame-wise phone log-probabilities (0: silence), the quality of
# each phone, and the quality of the whole sentence.
CTC, FRAME, GOODNESS, SENTENCE = (slice(0, 40), slice(40, 80), slice(80, 119), slice(119, 122))
CHANNELS = 122


class AcousticModel(nn.Module):
    """(batch, frames, 64) log-mel -> (batch, ceil(frames / 2), 122); 1.29 M parameters.

    The channels are those above: CTC and FRAME are natural log-probabilities; GOODNESS is a logit for each phone, whose mean over the
    phone's frames gives the experts' 0-2 as 2 * sigmoid; SENTENCE is a logit for accuracy, fluency and prosody, whose mean over the
    utterance gives the experts' 0-10 as 10 * sigmoid.
    """

    def __init__(self, channels=224, dropout=0.15):
        super().__init__()
        self.i = nn.Conv1d(64, channels, 5, stride=2, padding=2)
        self.b = nn.Sequential(*[Block(channels, d, dropout) for d in (1, 1, 2, 2, 4, 4, 1, 1)])
        self.n = nn.BatchNorm1d(channels)
        self.g = nn.GRU(channels, 128, bidirectional=True, batch_first=True)
        self.o = nn.Linear(256, CHANNELS)

    def forward(self, x):
        h = F.relu(self.n(self.b(self.i(x.transpose(1, 2)))))
        h, _ = self.g(h.transpose(1, 2))
        out = self.o(F.dropout(h, 0.2, self.training))
        return torch.cat([F.log_softmax(out[..., CTC], -1), F.log_softmax(out[..., FRAME], -1), out[..., 80:]], -1)


def with_noise(mel):
    """Adds stationary coloured noise, 12 to 40 dB below the speech, as a fluctuating noise floor in each band."""
    power = mel.exp()
    tilt = torch.linspace(-1, 1, mel.shape[1]) * random.uniform(-2, 3)
    floor = (tilt - np.log(np.mean(np.exp(tilt.numpy())))).exp()
    level = power.mean() * 10 ** (-random.uniform(12, 40) / 10)
    tremble = torch.distributions.Gamma(3.0, 3.0).sample(mel.shape)
    return (power + level * floor * tremble).log()


def augment(mel):
    """Augments with noise, speed, vocal-tract length, and masks in time and frequency (SpecAugment, Park et al. 2019)."""
    x = normalised(with_noise(mel) if random.random() < 0.4 else mel)
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
    """Yields batches of similar length; `items` are (id, outputs)."""
    key = lambda item: len(features[item[0]]) + (random.random() * 40 if shuffle else 0)
    ordered = sorted(items, key=key)
    groups = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    if shuffle:
        random.shuffle(groups)
    return groups


def collate(batch, features, training):
    inputs = [augment(features[name]) if training else normalised(features[name]) for name, _ in batch]
    lengths = torch.tensor([(len(x) + 1) // 2 for x in inputs])
    return nn.utils.rnn.pad_sequence(inputs, batch_first=True), lengths, [labels for _, labels in batch]


def phone_error_rate(model, items, features):
    """Phone error rate of greedy CTC decoding: edits per phone."""
    model.eval()
    edits = total = 0
    with torch.no_grad():
        for batch in batches(items, features, 32, shuffle=False):
            inputs, lengths, labels = collate(batch, features, training=False)
            best = model(inputs)[..., CTC].argmax(-1)
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


if __name__ == "__main__":
    print(json.dumps(fold_of_speakers(read_corpus(sys.argv[1]))))
