"""Phone error rates by greedy CTC decoding: edits per phone, compared with the pronunciation of each word that the speaker came closest to."""
import collections
import zlib

import torch

from network import CTC
from training_data import inputs_of


def edits(words, heard):
    """The fewest edits from any pronunciation of the words to what was recognised."""
    row = list(range(len(heard) + 1))
    for variants in words:
        rows = []
        for variant in variants:
            own = row
            for output in variant:
                before, own = own, [own[0] + 1]
                for j, other in enumerate(heard):
                    own.append(min(before[j + 1] + 1, own[j] + 1, before[j] + (other != output)))
            rows.append(own)
        row = [min(column) for column in zip(*rows)]
    return row[-1]


def collapsed(best):
    heard, previous = [], 0
    for output in best:
        if output != previous and output:
            heard.append(output)
        previous = output
    return heard


def length_of(item):
    return sum(len(word[0]) for word in item.words)


def groups_of(item):
    """Learners are also grouped by age, because children are recognised worst."""
    return [item.corpus] + ([f"{item.corpus} {'children' if item.age < 16 else 'adults'}"] if item.corpus == "learners" else [])


def sampled(items, most_of_corpus):
    """At most this many of each corpus, evenly spread and always the same ones."""
    counts, picked = collections.Counter(), []
    for item in sorted(items, key=lambda item: zlib.crc32(item.id.encode())):
        counts[item.corpus] += 1
        if most_of_corpus is None or counts[item.corpus] <= most_of_corpus:
            picked.append(item)
    return sorted(picked, key=lambda item: item.frames)


def phone_error_rates(model, items, mel, most_of_corpus=None, size=24):
    model.eval()
    wrong, total = collections.Counter(), collections.Counter()
    picked = sampled(items, most_of_corpus)
    with torch.no_grad():
        for start in range(0, len(picked), size):
            batch = picked[start : start + size]
            x, lengths, _ = inputs_of(batch, mel, training=False)
            best = model(x, lengths)[..., CTC].argmax(-1).cpu()
            for item, row, length in zip(batch, best, ((lengths + 1) // 2).tolist()):
                errors = edits(item.words, collapsed(row[:length].tolist()))
                for group in groups_of(item):
                    wrong[group] += errors
                    total[group] += length_of(item)
    return {group: wrong[group] / total[group] for group in sorted(total)}
