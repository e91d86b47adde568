"""Finds where each phone was said, and which pronunciation was used: python3 align_phones.py SHARDS CHECKPOINT OUT.jsonl [THREADS=1]

Viterbi search over the phone probabilities of each frame, through all pronunciations of every word, with optional silence between words.
`fit` is how far the path lies below the likeliest phones, per frame (natural log units): it is low for recordings of a different text.
Synthetic speech is left out, because its times are known. Utterances that are already in OUT are skipped.
"""
import json
import sys
from multiprocessing import Pool

import numpy as np
import torch

from network import FRAME
from training_data import inputs_of, load
from training_loop import choose_device, load_weights

SILENCE = 0
IMPOSSIBLE = -1e9
# A phone that the network does not detect at all must not outweigh the rest of the sentence.
LEAST = -9.0


def graph_of(words):
    """The output of each state, and the states that it may follow, itself first. States of phones have their word and position."""
    outputs, before, places = [SILENCE], [[0]], [None]
    ends = [0]
    starts = {0}
    for at, variants in enumerate(words):
        own_ends = []
        for variant in variants:
            for index, output in enumerate(variant):
                state = len(outputs)
                outputs.append(output)
                places.append((at, tuple(variant), index))
                before.append([state] + (list(ends) if index == 0 else [state - 1]))
                if index == 0 and at == 0:
                    starts.add(state)
            own_ends.append(len(outputs) - 1)
        silence = len(outputs)
        outputs.append(SILENCE)
        places.append(None)
        before.append([silence] + own_ends)
        ends = own_ends + [silence]
    width = max(len(states) for states in before)
    # The last state is a dummy that is never reached.
    table = np.full((len(outputs), width), len(outputs))
    for state, states in enumerate(before):
        table[state, : len(states)] = states
    return np.array(outputs), table, places, sorted(starts), ends


def viterbi(log_probs, outputs, table, starts, ends):
    """The likeliest path, one state per frame; None if there are too few frames."""
    scores = np.maximum(log_probs, LEAST)[:, outputs]
    frames, states = scores.shape
    current = np.full(states + 1, IMPOSSIBLE)
    current[starts] = scores[0, starts]
    came_from = np.zeros((frames, states), np.int8)
    rows = np.arange(states)
    for frame in range(1, frames):
        options = current[table]
        best = options.argmax(1)
        came_from[frame] = best
        current[:-1] = options[rows, best] + scores[frame]
    state = max(ends, key=lambda end: current[end])
    if current[state] < IMPOSSIBLE / 2:
        return None
    path = [state]
    for frame in range(frames - 1, 0, -1):
        path.append(table[path[-1], came_from[frame, path[-1]]])
    return path[::-1]


def aligned(task):
    """`task` is an utterance's id, the pronunciations of its words, and the log-probabilities, (frames of 20 ms, 40)."""
    name, words, log_probs = task
    outputs, table, places, starts, ends = graph_of(words)
    path = viterbi(log_probs, outputs, table, starts, ends)
    if path is None:
        return None
    said, spans = [], []
    for frame, state in enumerate(path):
        if places[state] is None:
            continue
        if frame and path[frame - 1] == state:
            spans[-1][1] = 2 * frame + 2
        else:
            said.append(int(outputs[state]))
            spans.append([2 * frame, 2 * frame + 2])
    fit = float((log_probs[np.arange(len(path)), outputs[path]] - log_probs.max(1)).mean())
    return {"id": name, "outputs": said, "spans": spans, "fit": round(fit, 3)}


def lines_kept(file):
    """The existing lines. An incomplete last line, from a run that was killed, is cut off."""
    file.seek(0)
    written = file.read()
    whole = written[: written.rfind("\n") + 1]
    file.truncate(len(whole.encode()))
    return {json.loads(line)["id"] for line in whole.splitlines()}


if __name__ == "__main__":
    shards, checkpoint, out, *rest = sys.argv[1:]
    threads = int(rest[0]) if rest else 1
    # Before anything is on a GPU, because processes that are started later would share it.
    with Pool(threads) as pool, torch.no_grad(), open(out, "a+") as file:
        done = lines_kept(file)
        torch.set_num_threads(threads)
        device = choose_device()
        model = load_weights(checkpoint).to(device)
        items, mel = load(shards, [""], None, device)
        waiting = sorted((i for i in items if i.corpus != "synthetic" and i.id not in done), key=lambda item: item.frames)
        for start in range(0, len(waiting), 64):
            batch = waiting[start : start + 64]
            x, lengths, _ = inputs_of(batch, mel, training=False)
            heard = model(x, lengths)[..., FRAME].cpu().numpy()
            counts = ((lengths + 1) // 2).tolist()
            tasks = [(item.id, item.words, row[:count]) for item, row, count in zip(batch, heard, counts)]
            for line in pool.map(aligned, tasks):
                if line is not None:
                    file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()
