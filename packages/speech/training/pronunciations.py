"""Writes the words that the corpus pronounces differently from CMUdict's first entry: python3 pronunciations.py CORPUS CMUDICT_INDEX_JS ../models/pronunciations.tsv

Data: the corpus' own lexicon (CC BY 4.0). Variants used to judge the speakers of the `train` split come first.
"""
import collections
import json
import re
import sys

from phones import PHONES

corpus, cmudict, out = sys.argv[1:4]
bare = lambda phones: " ".join(re.sub(r"\d", "", p) for p in phones)
usual = {}
for word, phones in re.findall(r'"([^"]+)":\s*"([^"]+)"', open(cmudict).read()):
    usual.setdefault(re.sub(r"\(\d\)$", "", word), bare(phones.split()))
counts = collections.defaultdict(collections.Counter)
for utterance in map(json.loads, open(f"{corpus}/utterances.jsonl")):
    if utterance["split"] == "train":
        for word in utterance["words"]:
            counts[word["text"].lower()][" ".join(word["phones"])] += 1
for line in open(f"{corpus}/lexicon.txt"):
    word, phones = line.rstrip("\n").split("\t")
    counts[word.lower()][phones] += 0
written = 0
with open(out, "w") as file:
    file.write("# word<TAB>phones: words that the corpus speechocean762 (CC BY 4.0) says otherwise than CMUdict does first\n")
    for word, variants in sorted(counts.items()):
        sayable = [p for p, _ in variants.most_common() if all(b in PHONES for b in bare(p.split()).split())]
        if sayable and bare(sayable[0].split()) != usual.get(word):
            written += len(sayable)
            file.writelines(f"{word}\t{phones}\n" for phones in sayable)
print(written, "pronunciations")
