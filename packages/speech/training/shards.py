"""Feature shards: log-mel features and labels of many utterances in one compressed file, small enough to copy to another machine.

A shard consists of the length of its labels (8 bytes), the labels (JSON lines, LZMA) and the features (bzip2, band by band: here ten times as
fast as LZMA, and 3 % larger; shards in LZMA, frame by frame, can also be read). A feature is stored as a multiple of STEP natural-log units;
the rounding noise of 0.75 dB is less than what the Opus coding of the recordings adds. The differences from the predictions by their
neighbours in time and frequency are compressed.
"""
import bz2
import glob
import json
import lzma
import os
import struct
from multiprocessing import Pool

import numpy as np

BANDS = 64
STEP, LOWEST = 0.6, -14.0
# About 3.5 hours of speech, well below 40 MB.
MAX_FRAMES = 900_000


def quantised(mel):
    return np.clip(np.round((mel - LOWEST) / STEP), 0, 255).astype(np.uint8)


def dequantised(values):
    return values.astype(np.float32) * STEP + LOWEST


def predicted(above, left, above_left):
    return (3 * above + 3 * left - 2 * above_left) // 4


def differences(q):
    """The differences from the prediction, modulo 256. The row before the first is zero, and the band before the first repeats it."""
    q = q.astype(np.int16)
    above = np.vstack([np.zeros((1, BANDS), np.int16), q[:-1]])
    left = np.hstack([above[:, :1], q[:, :-1]])
    above_left = np.hstack([above[:, :1], above[:, :-1]])
    return ((q - predicted(above, left, above_left)) & 255).astype(np.uint8)


def restored(d, starts):
    """The inverse of `differences` for utterances that begin at `starts`, all at once: band by band, frame by frame."""
    lengths = np.diff(np.append(starts, len(d)))
    order = np.argsort(-lengths, kind="stable")
    out = np.empty_like(d)
    previous = np.zeros((len(starts), BANDS), np.int16)
    for frame in range(lengths.max()):
        active = order[: np.searchsorted(-lengths[order], -frame, side="left")]
        rows = starts[active] + frame
        above = previous[active]
        residue = d[rows].astype(np.int16)
        row = np.empty_like(above)
        left = above_left = above[:, 0]
        for band in range(BANDS):
            row[:, band] = (residue[:, band] + predicted(above[:, band], left, above_left)) & 255
            left, above_left = row[:, band], above[:, band]
        out[rows] = row
        previous[active] = row
    return out


def write_shard(path, items, mels):
    """`items` are dictionaries of labels, `mels` their quantised features; each gains `frames`."""
    lines = [json.dumps({**item, "frames": len(mel)}, separators=(",", ":")) for item, mel in zip(items, mels)]
    labels = lzma.compress("\n".join(lines).encode())
    features = bz2.compress(np.concatenate([differences(mel) for mel in mels]).T.tobytes())
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(labels)) + labels + features)
    return 8 + len(labels) + len(features)


def read_labels(file):
    size = struct.unpack("<Q", file.read(8))[0]
    return [json.loads(line) for line in lzma.decompress(file.read(size)).decode().split("\n")]


def read_all_labels(folder, name=""):
    """The labels of all shards whose file name begins with `name`."""
    items = []
    for path in sorted(glob.glob(f"{folder}/**/{name}*.shard", recursive=True)):
        with open(path, "rb") as file:
            items += read_labels(file)
    return items


def read_shard(path):
    """Labels, quantised features and where each utterance begins. An unpacked copy beside the shard (unpack_shards) is read faster."""
    with open(path, "rb") as file:
        items = read_labels(file)
        starts = np.cumsum([0] + [item["frames"] for item in items])[:-1]
        if os.path.exists(f"{path}.npy"):
            return items, np.load(f"{path}.npy"), starts
        packed = file.read()
    if packed.startswith(b"BZh"):
        d = np.frombuffer(bz2.decompress(packed), np.uint8).reshape(BANDS, -1).T.copy()
    else:
        d = np.frombuffer(lzma.decompress(packed), np.uint8).reshape(-1, BANDS)
    return items, restored(d, starts), starts


def unpack_shard(path):
    np.save(f"{path}.npy", read_shard(path)[1])


def unpack_shards(folder, processes):
    """Unpacked shards are ten times as large but need no decompression, for a machine on which many programs read them."""
    with Pool(processes) as pool:
        pool.map(unpack_shard, glob.glob(f"{folder}/**/*.shard", recursive=True), chunksize=1)


class ShardWriter:
    """Writes FOLDER/NAME-0.shard, NAME-1.shard ... and prints what they contain."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.items, self.mels, self.frames, self.count = [], [], 0, 0

    def add(self, item, mel):
        if self.frames + len(mel) > MAX_FRAMES:
            self.flush()
        self.items.append(item)
        self.mels.append(quantised(mel))
        self.frames += len(mel)

    def flush(self):
        if not self.items:
            return
        path = f"{self.folder}/{self.name}-{self.count}.shard"
        size = write_shard(path, self.items, self.mels)
        hours = self.frames / 360_000
        print(f"{path}: {len(self.items)} utterances, {hours:.2f} h, {size / 1e6:.1f} MB", flush=True)
        self.items, self.mels, self.frames = [], [], 0
        self.count += 1


def read_shards(folder, names):
    """Items of all shards whose file name begins with one of `names`, and all their features in one array; each item gains `at`."""
    items, parts, at = [], [], 0
    for path in sorted(path for name in names for path in glob.glob(f"{folder}/**/{name}*.shard", recursive=True)):
        own, mel, starts = read_shard(path)
        for item, start in zip(own, starts):
            items.append({**item, "at": at + int(start)})
        parts.append(mel)
        at += len(mel)
    return items, np.concatenate(parts)
