"""The phones, without anything that needs PyTorch."""
import re

# Must stay in the order of packages/speech/src/pronounce/phones.ts; output 0 is the CTC blank.
PHONES = (
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH"
).split()
OUTPUT = {phone: index + 1 for index, phone in enumerate(PHONES)}

# Phones that learners confuse, as in src/pronounce/confusable-phones.ts without TH-F.
CONFUSABLE = [pair.split("-") for pair in (
    "TH-S DH-D TH-T DH-Z V-W L-R L-N IH-IY EH-AE B-P D-T G-K Z-S SH-S AH-AE UH-UW N-NG F-P V-B CH-SH ER-AH OW-AO EY-EH F-HH M-N JH-CH"
).split()]


def confusable_with(phone):
    return [b if phone == a else a for a, b in CONFUSABLE if phone in (a, b)]


def outputs_of_phones(phones):
    """The outputs of phones without their stress digits."""
    return [OUTPUT[re.sub(r"\d", "", phone)] for phone in phones]
