"""Words that the corpus says otherwise than CMUdict does first: python3 pronunciations.py CORPUS CMUDICT_INDEX_JS ../models/pronunciations.tsv

Data: the corpus' own lexicon (CC BY 4.0). Variants that the speakers of the split `train` were judged by come first.
"""
import collections
import json
import re
import sys

from acoustic import PHONES, read_corpus

corpus, cmudict, out = sys.argv[1:4]
bare = lambda phones: " ".join(re.sub(r"\d", "", p) for p in phones)
usual = {}
for word, phones in re.findall(r'"([^"]+)":\s*"([^"]+)"', open(cmudict).read()):
    usual.setdefault(re.sub(r"\(\d\)$", "", word), bare(phones.split()))
counts = collections.defaultdict(collections.Counter)
for utterance in read_corpus(corpus):
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
