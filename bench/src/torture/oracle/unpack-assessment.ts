/** Unpacks the assessment of a turn, as docs/protocol.md defines under "Turns and conversations". */

type Json = Record<string, unknown>;

const ERRORS = ['None', 'Omission', 'Insertion', 'Mispronunciation', 'UnexpectedBreak', 'MissingBreak', 'Monotone'];
const STEP_MS = 10;
const PITCH_STEP_MS = 60;
const HAS_RIVALS = 1;
const HAS_GAP_BEFORE = 2;
const NO_BREAK_SPACE = '\u00a0';

class Bytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(base64: string) {
    this.#bytes = Buffer.from(base64, 'base64');
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Error('a packed assessment ends too early');
    this.#at += 1;
    return byte;
  }

  /** Reads an unsigned LEB128 number. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  zigzag(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

export function unpackAssessment(packed: Json): Json {
  const [accuracy, fluency, prosody, completeness, pron] = packed['scores'] as unknown[];
  const pauses = packed['pauses'] as number[];
  return {
    source: packed['source'],
    durationMs: packed['durationMs'],
    snrDb: packed['snrDb'],
    accuracy,
    fluency,
    prosody,
    completeness,
    pron,
    words: unpackWords(packed),
    pitch: unpackPitch(String(packed['pitch'])),
    pauses: Array.from({ length: pauses.length / 2 }, (_, index) => ({
      startMs: pauses[index * 2],
      endMs: pauses[index * 2 + 1],
    })),
    ...(packed['unusable'] === undefined ? {} : { unusable: packed['unusable'] }),
  };
}

function unpackWords(packed: Json): Json[] {
  const bytes = new Bytes(String(packed['sounds']));
  const phonemes = String(packed['phonemes']).split(' ');
  const decodeScore = (code: number, parts: number): number | null => (code === 0 ? null : (code - 1) / parts);
  let endOfWord = 0;
  const words = String(packed['words']);
  return (words === '' ? [] : words.split(' ')).map((word) => {
    const start = endOfWord + bytes.zigzag();
    endOfWord = start + bytes.zigzag();
    const accuracy = decodeScore(bytes.unsigned(), 10);
    const packedErrorAndCount = bytes.unsigned();
    const error = ERRORS[packedErrorAndCount % ERRORS.length];
    let endOfSound = start;
    const sounds = Array.from({ length: Math.floor(packedErrorAndCount / ERRORS.length) }, () => {
      const code = bytes.unsigned();
      const soundStart = endOfSound + ((code & HAS_GAP_BEFORE) === 0 ? 0 : bytes.zigzag());
      endOfSound = soundStart + bytes.zigzag();
      const soundAccuracy = decodeScore(bytes.byte(), 2);
      const rivals = Array.from({ length: (code & HAS_RIVALS) === 0 ? 0 : bytes.unsigned() }, () => ({
        phoneme: phonemes[bytes.unsigned()],
        likelihood: bytes.byte() / 100,
      }));
      const span = { startMs: soundStart * STEP_MS, endMs: endOfSound * STEP_MS };
      const heard = rivals.length > 0 ? { heardAs: rivals } : {};
      return { phoneme: phonemes[Math.floor(code / 4)], ...span, accuracy: soundAccuracy, ...heard };
    });
    return {
      word: word.replaceAll(NO_BREAK_SPACE, ' '),
      startMs: start * STEP_MS,
      endMs: endOfWord * STEP_MS,
      accuracy,
      error,
      phonemes: sounds,
    };
  });
}

function unpackPitch(base64: string): { ms: number; hz: number }[] {
  const bytes = new Bytes(base64);
  const points: { ms: number; hz: number }[] = [];
  let step = 0;
  while (!bytes.isOver) {
    step += bytes.unsigned();
    while (!bytes.isOver) {
      const code = bytes.byte();
      if (code === 0) break;
      points.push({ ms: step * PITCH_STEP_MS, hz: 40 * 2 ** ((code - 1) / 48) });
      step += 1;
    }
  }
  return points;
}
