"""Phone error rates of the shipped networks on held-out speakers: python3 shipped_errors.py SHARDS DATA NODE [MOST=60] [MODEL.onnx.br]

Prints the mean over the networks of what pretrain.py reports for one. Synthetic speech is left out, because its samples are not kept.
"""
import collections
import json
import os
import subprocess
import sys

import numpy as np

from phone_errors import edits, groups_of, length_of, sampled
from prepare_speech import read_english
from shards import read_all_labels
from training_data import Item

shards, data, node, *rest = sys.argv[1:]
most = int(rest[0]) if rest else 60
paths = {u["id"]: u["audio"] for utterances in read_english(f"{data}/english").values() for u in utterances}
items = [Item({**line, "at": 0}, None) for line in read_all_labels(shards) if line["part"] == "heldout" and line["corpus"] != "synthetic"]
picked = sampled(items, most)
path_of = lambda item: f"{data}/speechocean762/audio/{item.id}.opus" if item.corpus == "learners" else paths[item.id]
lines = "".join(json.dumps({"id": item.id, "audio": path_of(item)}) + "\n" for item in picked)
script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recognise-recordings.ts")
written = subprocess.run([node, script, *rest[1:2]], input=lines.encode(), capture_output=True, check=True).stdout
heard = {line["id"]: line["heard"] for line in map(json.loads, written.decode().splitlines())}
wrong, total = collections.Counter(), collections.Counter()
for item in picked:
    for group in groups_of(item):
        wrong[group] += np.mean([edits(item.words, path) for path in heard[item.id]])
        total[group] += length_of(item)
print(json.dumps({group: round(wrong[group] / total[group], 4) for group in sorted(total)}))
