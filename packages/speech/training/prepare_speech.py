"""Converts recordings to feature shards: python3 prepare_speech.py english|learners DATA OUT NODE [THREADS=1]

DATA is the folder that holds `english` and `speechocean762`; OUT receives the shards; NODE is the project's Node, which runs
pronounce-texts.ts. Synthetic speech is made by synthesise.py. Existing shards are not made again.

Some speakers of each corpus are held out: its reports are measured on speakers on whom nothing is trained.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

from features import decode, log_mel, prepare
from phones import OUTPUT, outputs_of_phones
from shards import ShardWriter

# The most utterances of one speaker that are used for training, so that no single voice has too much weight.
MAX_OF_SPEAKER = {"speech-commands-test": 60, "kathleen-arctic": 500, "voicebank-noisy-test": 431}
MAX_OF_ANY_SPEAKER = 300
HELD_OUT_SHARE = 0.1
# The held-out speakers of corpora with fewer than ten speakers; none if there is only one voice.
HELD_OUT_SPEAKERS = {"voicebank-noisy-test": {"vctk-p232"}, "kathleen-arctic": set(), "ljspeech": set()}
MAX_HELD_OUT = 150
MAX_SECONDS = 22
ABOUT_SPEAKER = ("age", "gender", "accent", "nationality", "firstLanguage", "native")


def corpus_of(folder):
    """The parts of Common Voice and those of LJ Speech are one corpus each, because they share speakers."""
    return re.sub(r"(commonvoice|ljspeech)-.*", r"\1", os.path.basename(folder))


def is_held_out(corpus, speaker):
    if speaker == "unknown":
        return False
    if corpus in HELD_OUT_SPEAKERS:
        return speaker in HELD_OUT_SPEAKERS[corpus]
    return zlib.crc32(speaker.encode()) % 1000 < HELD_OUT_SHARE * 1000


def can_be_pronounced_surely(utterance):
    """Numbers that are not spelled out in the text can be read in several ways."""
    return utterance.get("textExact", True) or not re.search(r"\d", utterance["text"])


def read_english(folder):
    utterances = collections.defaultdict(list)
    for path in sorted(glob.glob(f"{folder}/*/utterances.jsonl")):
        home = os.path.dirname(path)
        for utterance in map(json.loads, open(path)):
            if can_be_pronounced_surely(utterance) and utterance["seconds"] <= MAX_SECONDS:
                utterances[corpus_of(home)].append({**utterance, "audio": f"{home}/{utterance['audio']}"})
    return utterances


def chosen(corpus, utterances):
    """Adds the part of the experiment to which each utterance belongs. The utterances of a single voice are limited."""
    most = MAX_OF_SPEAKER.get(corpus, MAX_OF_ANY_SPEAKER)
    counts, picked = collections.Counter(), []
    # The order does not depend on the file's, so that the limit does not select only a reader's first chapter.
    for utterance in sorted(utterances, key=lambda u: zlib.crc32(u["id"].encode())):
        held_out = is_held_out(corpus, utterance["speaker"])
        key = corpus if held_out else utterance["speaker"]
        counts[held_out, key] += 1
        if counts[held_out, key] <= (MAX_HELD_OUT if held_out else most) or utterance["speaker"] == "unknown":
            picked.append({**utterance, "part": "heldout" if held_out else "train"})
    return picked


def is_spelled(text):
    return all(len(token) == 1 for token in text.split()) and len(text.split()) > 2


def pronounced(utterances, node, keep_stress=False):
    """The pronunciations of each word, as outputs or as phones. Utterances with a word that cannot be pronounced are left out."""
    lines = "".join(json.dumps({"id": u["id"], "text": u["text"]}) + "\n" for u in utterances)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pronounce-texts.ts")
    written = subprocess.run([node, script], input=lines.encode(), capture_output=True, check=True).stdout
    by_id = {line["id"]: line["words"] for line in map(json.loads, written.decode().splitlines())}
    for u in utterances:
        words = by_id[u["id"]]
        if not keep_stress:
            words = [list(dict.fromkeys(tuple(outputs_of_phones(p)) for p in word)) for word in words]
        if not keep_stress and is_spelled(u["text"]):
            words = [spelled(letter, word) for letter, word in zip(u["text"].split(), words)]
        if words and all(words):
            yield u, words


def spelled(letter, word):
    """A spelled "A" is not the article, and the last letter is "zed" outside America."""
    names = {"A": [outputs_of_phones(["EY"])], "Z": [*word, outputs_of_phones(["Z", "EH", "D"])]}
    return names.get(letter.upper(), word)


def features_of(path):
    pcm, _ = prepare(decode(path))
    return log_mel(pcm)


def write_english(data, out, node, threads):
    for corpus, utterances in read_english(f"{data}/english").items():
        if glob.glob(f"{out}/{corpus}-*.shard"):
            print(f"{corpus}: exists", flush=True)
            continue
        picked = chosen(corpus, utterances)
        sayable = list(pronounced(picked, node))
        writer = ShardWriter(out, corpus)
        with ThreadPoolExecutor(threads) as pool:
            for (u, words), mel in zip(sayable, pool.map(lambda pair: features_of(pair[0]["audio"]), sayable)):
                # With fewer frames than phones, the recording does not contain the whole text.
                if len(mel) // 2 > sum(len(word[0]) for word in words):
                    about = {name: u[name] for name in ABOUT_SPEAKER if u.get(name) not in (None, "")}
                    writer.add({"id": u["id"], "corpus": corpus, "speaker": u["speaker"], "part": u["part"], **about, "words": words}, mel)
        writer.flush()
        print(f"{corpus}: {len(utterances)} given, {len(picked)} picked, {len(sayable)} pronounced", flush=True)


def write_learners(data, out, threads):
    if glob.glob(f"{out}/learners-*.shard"):
        return
    home = f"{data}/speechocean762"
    utterances = [json.loads(line) for line in open(f"{home}/utterances.jsonl")]
    writer = ShardWriter(out, "learners")
    with ThreadPoolExecutor(threads) as pool:
        for u, mel in zip(utterances, pool.map(lambda u: features_of(f"{home}/{u['audio']}"), utterances)):
            item = {"id": u["id"], "corpus": "learners", "speaker": u["speaker"], "age": u["age"], "firstLanguage": "Mandarin"}
            item["part"] = "train" if u["split"] == "train" else "heldout"
            item["words"] = [[outputs_of_phones(word["phones"])] for word in u["words"]]
            item["scores"] = [s for w in u["words"] for s in (w["phonesAccuracy"] or [None] * len(w["phones"]))]
            item["sentence"] = [u["accuracy"], u["fluency"], u["prosodic"]]
            writer.add(item, mel)
    writer.flush()


if __name__ == "__main__":
    what, data, out, node, *rest = sys.argv[1:]
    threads = int(rest[0]) if rest else 1
    os.makedirs(out, exist_ok=True)
    assert len(OUTPUT) == 39
    write_english(data, out, node, threads) if what == "english" else write_learners(data, out, threads)
