"""Lists the recordings from which the scorer's trees learn: python3 list_recordings.py DATA FOLDS.json SYNTHETIC > RECORDINGS.jsonl

DATA holds `english` and `speechocean762`; FOLDS says which network was not trained on a speaker (adapt.py --print-folds); SYNTHETIC is a folder for
recordings of synthetic voices. Learners' recordings have the experts' scores. Other English and synthetic speech are assumed to be well said,
and their held-out speakers and voices are only used for measuring. The recordings of a single voice are limited.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import zlib

from prepare_speech import is_held_out, read_english

LEARNERS_REPEATED = 400
# The number of utterances for training; HELD_OUT of each corpus are used for measuring.
OTHER_ENGLISH = {"librispeech-mini": 170, "commonvoice": 440, "ljspeech": 60, "kathleen-arctic": 60, "voicebank-noisy-test": 70, "speech-commands-test": 400}
HELD_OUT = 60
MAX_SECONDS = 14
MIN_OF_SPEAKER = 12
NATIVE_READERS = {"librispeech-mini", "ljspeech", "kathleen-arctic", "voicebank-noisy-test"}
# Accuracy, fluency and prosody of native readers, whom no expert judged: nearly full marks.
NATIVE_SENTENCE = [10, 9.8, 9.8]
NETWORKS = 5
SENTENCES, WORDS = 540, 420
VOICES = [
    *(f"flite {name}" for name in ("slt", "rms", "awb", "kal16", "kal")),
    *(f"espeak {name}" for name in ("en-us", "en-gb+f2", "en-us+m3", "en-gb-scotland", "en-us+f4")),
    *(f"festival {name}" for name in ("kal_diphone", "cmu_us_slt_arctic_hts")),
]
WORD_VOICES = VOICES[:7]
HELD_OUT_VOICES = {"flite awb", "flite kal16", "espeak en-gb-scotland"}
order = lambda text: zlib.crc32(text.encode())


def learners(data, folds):
    home = f"{data}/speechocean762"
    utterances = sorted(map(json.loads, open(f"{home}/utterances.jsonl")), key=lambda u: order(u["id"]))
    repeated = {u["id"] for u in utterances[:LEARNERS_REPEATED]}
    for u in utterances:
        about = dict(id=u["id"], audio=f"{home}/{u['audio']}", text=u["text"], speaker=u["speaker"], corpus="learners", age=u["age"], split=u["split"])
        scores = dict(
            wordScores=[word["accuracy"] for word in u["words"]],
            phoneScores=[word["phonesAccuracy"] for word in u["words"]],
            sentence=[u["accuracy"], u["fluency"], u["prosodic"]],
        )
        networks = [folds[u["speaker"]]]
        yield dict(**about, **scores, networks=networks, exchanges=1, distort="none")
        if u["id"] in repeated:
            for distort in ("noise15", "telephone"):
                yield dict(**about, **scores, networks=networks, exchanges=0, distort=distort)


def well_said(name, audio, text, speaker, corpus, held_out, sentence=None):
    """A sound is exchanged once in single words and twice in sentences; one recording in five gets noise."""
    is_word = " " not in text
    networks = [0, 1] if held_out and not is_word else [order(name) % NETWORKS]
    about = dict(id=name, audio=audio, text=text, speaker=speaker, corpus=corpus, age=30, split="heldout" if held_out else "train")
    scores = dict(wordScores=None, phoneScores=None, sentence=sentence)
    return dict(**about, **scores, networks=networks, exchanges=1 if is_word else 2, distort="noise20" if order(f"{name} noise") % 5 == 0 else "none")


def other_english(english):
    for corpus, most in OTHER_ENGLISH.items():
        counts = collections.Counter()
        for u in sorted(english[corpus], key=lambda u: order(u["id"])):
            held_out = is_held_out(corpus, u["speaker"])
            total, own = (HELD_OUT, HELD_OUT) if held_out else (most, max(MIN_OF_SPEAKER, most // 20))
            if u["seconds"] > MAX_SECONDS or counts[held_out] >= total or counts[u["speaker"]] >= own:
                continue
            counts[held_out] += 1
            counts[u["speaker"]] += 1
            sentence = NATIVE_SENTENCE if corpus in NATIVE_READERS else None
            yield well_said(u["id"], u["audio"], u["text"].lower(), u["speaker"], corpus, held_out, sentence)


def speak(voice, text, path):
    """Writes a recording of a synthetic voice, unless it exists; false if the voice fails."""
    engine, name = voice.split(" ", 1)
    command = {
        "flite": ["flite", "-voice", name, "-t", text, "-o", path],
        "espeak": ["espeak-ng", "-v", name, "-w", path, text],
        "festival": ["text2wave", "-eval", f"(voice_{name})", "-o", path],
    }[engine]
    if not os.path.exists(path):
        said = subprocess.run(command, input=text.encode() if engine == "festival" else None, capture_output=True, timeout=60)
        return said.returncode == 0
    return True


def synthetic(english, learners_texts, folder):
    plain = lambda text: re.fullmatch(r"[a-z' ]+", text) and 4 <= len(text.split()) <= 12
    texts = [text for text in (re.sub(r"[.,]", "", u["text"].lower()) for u in english["commonvoice"]) if plain(text)] + [text for text in learners_texts if plain(text)]
    random.Random(5).shuffle(texts)
    counts = collections.Counter(word for text in learners_texts for word in text.split() if 3 <= len(word) <= 8 and word.isalpha())
    words = [word for word, _ in counts.most_common(WORDS)]
    jobs = [(text, VOICES[at % len(VOICES)]) for at, text in enumerate(texts[:SENTENCES])]
    jobs += [(words[at % len(words)], WORD_VOICES[at % len(WORD_VOICES)]) for at in range(WORDS)]
    os.makedirs(folder, exist_ok=True)
    for at, (text, voice) in enumerate(jobs):
        path = f"{folder}/{at}.wav"
        if speak(voice, text, path):
            corpus = "synthetic" if " " in text else "synthetic words"
            yield well_said(f"synthetic {at}", path, text, voice, corpus, voice in HELD_OUT_VOICES)


if __name__ == "__main__":
    data, folds_file, folder = sys.argv[1:]
    english = read_english(f"{data}/english")
    spoken = list(learners(data, json.load(open(folds_file))))
    recordings = [*spoken, *other_english(english), *synthetic(english, sorted({u["text"].lower() for u in spoken}), folder)]
    # Shuffled, so that what is cut off at the end is random.
    random.Random(1).shuffle(recordings)
    for recording in recordings:
        print(json.dumps(recording))
