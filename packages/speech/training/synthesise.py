"""Makes synthetic speech with known phones and times: python3 synthesise.py DATA OUT NODE [UTTERANCES=3600] [SEED=20]

Voices of Flite, Festival and eSpeak NG (synthetic_voices.py) say sentences of the corpora and random words, and both with single sounds
exchanged as learners do, so that a network cannot guess a sound from its sentence. A third of the voices are warped towards children's:
spoken slowly, then played faster.
"""
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.signal import resample_poly

from features import log_mel, prepare
from phones import OUTPUT, confusable_with
from prepare_speech import pronounced, read_english
from shards import ShardWriter
from synthetic_voices import VOICES, speak

# A held-out voice shows how well unknown voices are recognised.
HELD_OUT_VOICE, MAX_HELD_OUT = "festival ked_diphone", 80
MAX_WORDS, MIN_WORDS = 12, 2
SALAD_SHARE, SINGLE_SHARE, EXCHANGED_SHARE = 0.35, 0.08, 0.6
FRAME_S, RATE = 0.01, 16000


def texts_of(data, random_):
    """Sentences of the adults' and the learners' corpora; from the latter, only those of the split `train`."""
    english = read_english(f"{data}/english")
    texts = [u["text"] for corpus in ("commonvoice", "kathleen-arctic", "voicebank-noisy-test") for u in english[corpus]]
    learners = [json.loads(line) for line in open(f"{data}/speechocean762/utterances.jsonl")]
    texts += [u["text"].lower() for u in learners if u["split"] == "train"]
    plain = [text for text in dict.fromkeys(texts) if re.fullmatch(r"[A-Za-z' ,.?!]+", text)]
    sentences = [text for text in plain if MIN_WORDS <= len(text.split()) <= MAX_WORDS]
    vocabulary = sorted({word for text in plain for word in re.findall(r"[a-z']+", text.lower()) if len(word) > 2})
    random_.shuffle(sentences)
    return sentences, vocabulary


def sentence(sentences, vocabulary, random_):
    draw = random_.random()
    if draw < SINGLE_SHARE:
        return random_.choice(vocabulary)
    if draw < SINGLE_SHARE + SALAD_SHARE:
        return " ".join(random_.choice(vocabulary) for _ in range(random_.randint(3, 8)))
    return random_.choice(sentences)


def exchanged(words, random_):
    """Replaces one or two sounds with ones that learners say instead; `words` are lists of stressed phones."""
    words = [list(word) for word in words]
    for _ in range(random_.randint(1, 2)):
        word = random_.choice(words)
        at = random_.randrange(len(word))
        rivals = confusable_with(re.sub(r"\d", "", word[at]))
        if rivals:
            rival = random_.choice(rivals)
            stress = "1" if rival[0] in "AEIOU" else ""
            word[at] = rival + (re.sub(r"\D", "", word[at]) or stress if stress else "")
    return words


def plans_of(data, node, count, seed):
    random_ = random.Random(seed)
    sentences, vocabulary = texts_of(data, random_)
    texts = [{"id": f"syn{seed}-{at}", "text": sentence(sentences, vocabulary, random_)} for at in range(count)]
    for u, words in pronounced(texts, node, keep_stress=True):
        words = [random_.choice(word) for word in words]
        has_exchanged = random_.random() < EXCHANGED_SHARE
        draw = random_.random()
        warp = random_.uniform(1.1, 1.38) if draw < 0.35 else random_.uniform(0.92, 1.1) if draw < 0.7 else 1.0
        yield {
            "id": u["id"],
            "voice": random_.choices(list(VOICES), [voice["weight"] for voice in VOICES.values()])[0],
            "written": re.findall(r"[A-Za-z']+", u["text"]),
            "words": exchanged(words, random_) if has_exchanged else words,
            "usual": words,
            "stretch": warp * random_.uniform(0.85, 1.25),
            "warp": warp,
            "seed": random_.randrange(1 << 30),
        }


def played_faster(pcm, warp):
    return pcm if warp == 1 else resample_poly(pcm, 50, round(50 * warp)).astype(np.float32)


def synthesised(plan):
    """The item and its features; None if an engine failed or said a sound that is not one of our phones."""
    try:
        spoken = speak(plan)
    except subprocess.SubprocessError:
        spoken = None
    if spoken is None:
        return None
    pcm, phones = spoken
    warp = round(50 * plan["warp"]) / 50
    pcm = played_faster(pcm, warp)
    prepared, start = prepare(pcm)
    mel = log_mel(prepared)
    outputs = [OUTPUT[phone] for phone, _, _ in phones]
    at = lambda seconds: min(len(mel), max(0, round((seconds / warp - start / RATE) / FRAME_S)))
    spans = [[at(begin), at(end)] for _, begin, end in phones]
    if not outputs or len(mel) // 2 <= len(outputs):
        return None
    part = "heldout" if plan["voice"] == HELD_OUT_VOICE else "train"
    item = {"id": plan["id"], "corpus": "synthetic", "speaker": plan["voice"], "part": part, "outputs": outputs, "spans": spans}
    return item, mel


if __name__ == "__main__":
    data, out, node, *rest = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    if os.path.exists(f"{out}/synthetic-0.shard"):
        sys.exit("the shards are there")
    count, seed = (int(value) for value in [*rest, *("3600", "20")[len(rest) :]])
    writer, made, held_out, failed = ShardWriter(out, "synthetic"), {}, 0, 0
    with ThreadPoolExecutor(1) as pool:
        for result in pool.map(synthesised, plans_of(data, node, count, seed)):
            if result is None:
                failed += 1
                continue
            item, mel = result
            held_out += item["part"] == "heldout"
            if item["part"] == "train" or held_out <= MAX_HELD_OUT:
                made[item["speaker"]] = made.get(item["speaker"], 0) + 1
                writer.add(item, mel)
    writer.flush()
    print(made, "failed", failed)
