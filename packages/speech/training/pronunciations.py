"""Words that the corpus says otherwise than CMUdict: python3 pronunciations.py CORPUS CMUDICT_INDEX_JS ../models/pronunciations.tsv

Data: the corpus' own lexicon (CC BY 4.0). Variants that the speakers of the split `train` were judged by come first.
"""
import collections
import json
import re
import sys

from acoustic import PHONES, read_corpus

corpus, cmudict, out = sys.argv[1:4]
bare = lambda phones: " ".join(re.sub(r"\d", "", p) for p in phones)
known = collections.defaultdict(set)
for word, phones in re.findall(r'"([^"]+)":\s*"([^"]+)"', open(cmudict).read()):
    known[re.sub(r"\(\d\)$", "", word)].add(bare(phones.split()))
counts = collections.Counter()
for utterance in read_corpus(corpus):
    if utterance["split"] == "train":
        counts.update((w["text"].lower(), " ".join(w["phones"])) for w in utterance["words"])
for line in open(f"{corpus}/lexicon.txt"):
    word, phones = line.rstrip("\n").split("\t")
    counts.setdefault((word.lower(), phones), 0)
written = set()
with open(out, "w") as file:
    file.write("# word<TAB>phones: pronunciations of the corpus speechocean762 (CC BY 4.0) that CMUdict lacks\n")
    for (word, phones), count in sorted(counts.items(), key=lambda item: (item[0][0], -item[1])):
        key = (word, bare(phones.split()))
        sayable = all(p in PHONES for p in key[1].split())
        if sayable and key not in written and (word not in known or (key[1] not in known[word] and count >= 2)):
            written.add(key)
            file.write(f"{word}\t{phones}\n")
print(len(written), "pronunciations")
