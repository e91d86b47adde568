"""Utterances with their labels and features in memory, in batches of similar length."""
import json
import os
import random

import numpy as np
import torch

from augmentation import augmented_batch, plain_batch
from shards import read_shards

IGNORED = -1
# How often an utterance occurs in an epoch. There are many single words, and they are short.
SHARES = {"speech-commands-test": 0.34, "kathleen-arctic": 0.7}


class Item:
    """An utterance: where its features are, the pronunciations of its words, and which phones were said where, as far as that is known.

    `spans` are frames of 10 ms. `scores` (a phone each, 0-2, None unknown) and `sentence` (accuracy, fluency, prosody, 0-10) are the experts'.
    """

    def __init__(self, line, alignment):
        self.id, self.corpus, self.speaker, self.part = line["id"], line["corpus"], line["speaker"], line["part"]
        self.at, self.frames, self.age = line["at"], line["frames"], line.get("age")
        self.words = line.get("words") or [[line["outputs"]]]
        self.outputs = line.get("outputs") or [output for word in self.words for output in word[0]]
        self.spans = line.get("spans")
        self.fit = None
        if alignment is not None:
            self.outputs, self.spans, self.fit = alignment["outputs"], alignment["spans"], alignment["fit"]
        self.scores, self.sentence = line.get("scores"), line.get("sentence")


def load(folder, names, alignment_file=None, device="cpu"):
    """Items, and all features as one byte tensor on the device."""
    alignments = {}
    if alignment_file is not None and os.path.exists(alignment_file):
        alignments = {line["id"]: line for line in map(json.loads, open(alignment_file))}
    lines, mel = read_shards(folder, names)
    return [Item(line, alignments.get(line["id"])) for line in lines], torch.from_numpy(mel).to(device)


def epoch_batches(items, most_frames, seed, shares=None):
    """The batches of one epoch: always the same ones for the same seed. `most_frames` counts padding."""
    random_ = random.Random(seed)
    picked = [item for item in items if random_.random() < (shares or SHARES).get(item.corpus, 1)]
    picked.sort(key=lambda item: item.frames * random_.uniform(0.9, 1.1))
    batches, batch = [], []
    for item in picked:
        if batch and max(item.frames, max(i.frames for i in batch)) * (len(batch) + 1) > most_frames:
            batches.append(batch)
            batch = []
        batch.append(item)
    batches.append(batch)
    random_.shuffle(batches)
    return batches


def inputs_of(batch, mel, training, strength=1.0):
    """Features, lengths in frames of 10 ms, and speeds."""
    at = torch.tensor([item.at for item in batch], device=mel.device)
    frames = torch.tensor([item.frames for item in batch], device=mel.device)
    if training:
        return augmented_batch(mel, at, frames, strength)
    x, lengths = plain_batch(mel, at, frames)
    return x, lengths, torch.ones(len(batch), device=mel.device)


def padded_labels(batch, device):
    lengths = torch.tensor([len(item.outputs) for item in batch])
    labels = torch.zeros(len(batch), int(lengths.max()), dtype=torch.long)
    for row, item in enumerate(batch):
        labels[row, : len(item.outputs)] = torch.tensor(item.outputs)
    return labels.to(device), lengths.to(device)


def frame_targets(batch, lengths, speed, frames, is_example=lambda item, index: True):
    """(batch, frames of 20 ms): the phone that sounds, 0 for silence, IGNORED if it is unknown or not a good example."""
    targets = np.full((len(batch), frames), IGNORED)
    for row, (item, length, rate) in enumerate(zip(batch, ((lengths + 1) // 2).tolist(), speed.tolist())):
        if item.spans is None:
            continue
        targets[row, :length] = 0
        for index, (output, (start, end)) in enumerate(zip(item.outputs, item.spans)):
            first, last = int(start / rate / 2 + 0.5), int(end / rate / 2 + 0.5)
            targets[row, first : min(length, max(first + 1, last))] = output if is_example(item, index) else IGNORED
    return torch.from_numpy(targets)
