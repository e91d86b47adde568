"""The synthesisers, which turn a plan (synthesise.py) into 16 kHz samples and [(phone, begin, end)] in seconds.

Licences (Debian's copyright files): Flite and its voices, Festival with kal, ked and slt (HTS): BSD-like, of the University of
Edinburgh and Carnegie Mellon University (slt's features: BSD, Nagoya Institute of Technology). eSpeak NG: GPL-3+; it only runs at
training time, and neither it nor its output is shipped.
"""
import ctypes
import os
import random
import re
import subprocess
import tempfile
import wave

import numpy as np
from scipy.signal import resample_poly

from phones import OUTPUT

RATE = 16000
VOICES = {
    "flite slt": {"weight": 3},
    "flite rms": {"weight": 3},
    "flite awb": {"weight": 3},
    "flite kal16": {"weight": 2},
    "festival kal_diphone": {"weight": 1.2},
    "festival cmu_us_slt_arctic_hts": {"weight": 1.2},
    "festival ked_diphone": {"weight": 0.5},
    **{f"espeak en-us{variant}": {"weight": 0.5} for variant in ("", "+m1", "+m3", "+m5", "+m7", "+f1", "+f2", "+f4", "+f5", "+klatt2")},
}

RADIO = {"ax": "AH", "axr": "ER", "dx": "T", "nx": "N", "el": "L", "em": "M", "en": "N", "ix": "IH", "hv": "HH"}
SILENCES = {"pau", "ssil", "h#", "brth", "sil"}
MNEMONICS = {
    "aI": "AY", "aI3": "AY ER", "aI@": "AY AH", "aU": "AW", "eI": "EY", "oU": "OW", "OI": "OY", "3:": "ER", "3": "ER", "@": "AH", "@2": "AH",
    "@5": "AH", "V": "AH", "a": "AE", "aa": "AE", "a#": "AH", "E": "EH", "E#": "IH", "I": "IH", "I2": "IH", "I#": "IH", "i": "IY", "i:": "IY",
    "0": "AA", "0#": "AA", "A:": "AA", "A@": "AA R", "A#": "AA", "O:": "AO", "O": "AO", "O2": "AO", "O@": "AO R", "o@": "AO R", "e@": "EH R",
    "i@3": "IH R", "i@": "IY AH", "U": "UH", "u:": "UW", "u": "UW", "U@": "UH R", "@L": "AH L", "b": "B", "tS": "CH", "d": "D", "D": "DH",
    "f": "F", "g": "G", "h": "HH", "dZ": "JH", "k": "K", "l": "L", "l/2": "L", "m": "M", "n": "N", "n-": "AH N", "N": "NG", "p": "P", "r": "R",
    "r-": "", ";": "", "@-": "", "s": "S", "S": "SH", "t": "T", "t#": "T", "t2": "T", "T": "TH", "v": "V", "w": "W", "j": "Y", "z": "Z", "z#": "Z", "Z": "ZH",
}  # fmt: skip
SAID_AS = {
    "AA": "A:", "AE": "a", "AH": "V", "AO": "O:", "AW": "aU", "AY": "aI", "B": "b", "CH": "tS", "D": "d", "DH": "D", "EH": "E", "ER": "3:",
    "EY": "eI", "F": "f", "G": "g", "HH": "h", "IH": "I", "IY": "i:", "JH": "dZ", "K": "k", "L": "l", "M": "m", "N": "n", "NG": "N", "OW": "oU",
    "OY": "OI", "P": "p", "R": "r", "S": "s", "SH": "S", "T": "t", "TH": "T", "UH": "U", "UW": "u:", "V": "v", "W": "w", "Y": "j", "Z": "z",
    "ZH": "Z",
}  # fmt: skip
bare = lambda phone: re.sub(r"\d", "", phone)


def samples_of(path):
    with wave.open(path) as file:
        rate, pcm = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / 32768
    return pcm if rate == RATE else resample_poly(pcm, RATE // 50, rate // 50).astype(np.float32)


def radio_phones(named):
    """Converts the (name, end) of every segment to our phones; None if a name is neither a phone nor silence."""
    phones, begin = [], 0.0
    for name, end in named:
        phone = RADIO.get(name, name.upper())
        if name not in SILENCES:
            if phone not in OUTPUT:
                return None
            phones.append((phone, begin, end))
        begin = end
    return phones


def flite(voice, plan):
    """Words with an exchanged sound are passed as phones, and the others as they are written."""
    as_flite = lambda word: " ".join({"AH0": "ax"}.get(phone, phone.lower()) for phone in word)
    marked = [
        written if word == usual else f'<phoneme ph="{as_flite(word)}">{written}</phoneme>'
        for written, word, usual in zip(plan["written"], plan["words"], plan["usual"])
    ]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/text.ssml", "w") as file:
            file.write(f"<speak>{' '.join(marked)}</speak>")
        settings = ["--setf", f"duration_stretch={plan['stretch']:.2f}"]
        command = ["flite", "-voice", voice, *settings, "-psdur", "-ssml", "-f", f"{folder}/text.ssml", "-o", f"{folder}/x.wav"]
        said = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode()
        # In SSML, each part between marks is an utterance, and the file contains all of them.
        named, offset, last = [], 0.0, 0.0
        for name, end in re.findall(r"(\S+):([\d.]+)", said):
            if float(end) < last:
                offset += last
            last = float(end)
            named.append((name, offset + last))
        phones = radio_phones(named)
        return None if phones is None else (samples_of(f"{folder}/x.wav"), phones)


FESTIVAL = """(voice_{voice})(Parameter.set 'Duration_Stretch {stretch:.2f})
(set! u (Utterance Text "{text}"))
(Initialize u)(Text u)(Token_POS u)(Token u)(POS u)(Phrasify u)(Word u)(Pauses u)(Intonation u)(PostLex u)
(define (swap from to which) (let ((n 0) (all (utt.relation.items u 'Segment)))
  (mapcar (lambda (s) (if (string-equal (item.name s) from) (begin (if (equal? n which) (item.set_name s to)) (set! n (+ n 1))))) all)))
{swaps}
(Duration u)(Int_Targets u)(Wave_Synth u)
(mapcar (lambda (s) (format t "%s:%f\\n" (item.name s) (item.feat s "end"))) (utt.relation.items u 'Segment))
(utt.save.wave u "{wav}" 'riff)
"""


def festival(voice, plan):
    """Sounds are exchanged in what Festival is about to say, because its dictionary may differ from ours."""
    swaps = []
    for word, usual in zip(plan["words"], plan["usual"]):
        for to, from_ in zip(word, usual):
            if to != from_ and bare(from_) != "AH":
                before = [bare(p) for w in plan["usual"] for p in w]
                which = random.Random(plan["seed"]).randrange(before.count(bare(from_)))
                swaps.append(f'(swap "{bare(from_).lower()}" "{bare(to).lower()}" {which})')
    with tempfile.TemporaryDirectory() as folder:
        text = " ".join(plan["written"])
        script = FESTIVAL.format(voice=voice, stretch=plan["stretch"], text=text, swaps="".join(swaps), wav=f"{folder}/x.wav")
        with open(f"{folder}/x.scm", "w") as file:
            file.write(script)
        run = subprocess.run(["festival", "-b", f"{folder}/x.scm"], capture_output=True, timeout=60)
        if run.returncode != 0 or not os.path.exists(f"{folder}/x.wav"):
            return None
        phones = radio_phones([(name, float(end)) for name, end in re.findall(r"(\S+):([\d.]+)", run.stdout.decode())])
        return None if phones is None else (samples_of(f"{folder}/x.wav"), phones)


class EspeakEvent(ctypes.Structure):
    """espeak_EVENT of espeak-ng/speak_lib.h."""

    _fields_ = [
        ("type", ctypes.c_int), ("unique", ctypes.c_uint), ("text", ctypes.c_int), ("length", ctypes.c_int), ("ms", ctypes.c_int),
        ("sample", ctypes.c_int), ("user", ctypes.c_void_p), ("name", ctypes.c_char * 8),
    ]  # fmt: skip


PHONEME_EVENT, RETRIEVE_AUDIO, WITH_PHONEME_EVENTS, MNEMONICS_IN_TEXT, RATE_PARAMETER, PITCH_PARAMETER = 7, 2, 1, 0x100, 1, 3
ESPEAK = {}


def espeak_library():
    if not ESPEAK:
        library = ctypes.CDLL("libespeak-ng.so.1")
        ESPEAK.update(library=library, rate=library.espeak_Initialize(RETRIEVE_AUDIO, 0, None, WITH_PHONEME_EVENTS), pcm=[], events=[])

        def heard(samples, count, events):
            if samples:
                ESPEAK["pcm"].append(np.ctypeslib.as_array(samples, (count,)).copy() if count else np.zeros(0, np.int16))
            at = 0
            while events[at].type:
                if events[at].type == PHONEME_EVENT:
                    ESPEAK["events"].append((events[at].name.decode(), events[at].sample))
                at += 1
            return 0

        prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(EspeakEvent))
        ESPEAK["callback"] = prototype(heard)
        library.espeak_SetSynthCallback(ESPEAK["callback"])
    return ESPEAK["library"]


def espeak(voice, plan):
    """Words with an exchanged sound are passed as phones; what counts are the phones that eSpeak reports."""
    library = espeak_library()
    random_ = random.Random(plan["seed"])
    mnemonics = lambda word: "".join(("'" if phone[-1:] == "1" else "") + ("@" if phone == "AH0" else SAID_AS[bare(phone)]) for phone in word)
    marked = [
        written if word == usual else f"[[{mnemonics(word)}]]"
        for written, word, usual in zip(plan["written"], plan["words"], plan["usual"])
    ]
    ESPEAK["pcm"].clear()
    ESPEAK["events"].clear()
    library.espeak_SetVoiceByName(voice.encode())
    library.espeak_SetParameter(RATE_PARAMETER, int(random_.uniform(140, 175) / plan["stretch"]), 0)
    library.espeak_SetParameter(PITCH_PARAMETER, random_.randint(30, 75), 0)
    text = " ".join(marked).encode()
    library.espeak_Synth(text, len(text) + 1, 0, 1, 0, 1 | MNEMONICS_IN_TEXT, None, None)
    pcm = np.concatenate(ESPEAK["pcm"]).astype(np.float32) / 32768
    events = ESPEAK["events"] + [("_", len(pcm))]
    phones = []
    for (name, begin), (_, end) in zip(events, events[1:]):
        if name.startswith("_") or name in ("?", ""):
            continue
        if name not in MNEMONICS:
            return None
        parts = MNEMONICS[name].split()
        for index, part in enumerate(parts):
            share = (end - begin) / len(parts)
            phones.append((part, (begin + index * share) / ESPEAK["rate"], (begin + (index + 1) * share) / ESPEAK["rate"]))
    return resample_poly(pcm, 320, 441).astype(np.float32), phones


def speak(plan):
    if len(plan["written"]) != len(plan["words"]):
        return None
    engine, voice = plan["voice"].split(" ")
    return {"flite": flite, "festival": festival, "espeak": espeak}[engine](voice, plan)
