/** What the twin is to do with a call, and what it saw of it. A call is one socket; a call that nothing is said of goes well. */

export interface TwinWord {
  accuracy?: number;
  /** The verdict on the break before the word, with its confidence 0-1. */
  unexpectedBreak?: number;
  missingBreak?: number;
  /** The sound that is heard instead of the first one of the word. */
  firstHeardAs?: string;
}

export interface TwinScores {
  accuracy?: number;
  fluency?: number;
  /** Left out where it is null. */
  prosody?: number | null;
}

export interface TwinCallScript {
  /** The upgrade is refused with this status. */
  refuse?: 400 | 401 | 403 | 404 | 429 | 500 | 503;
  /** Before the socket is opened. */
  openAfterMs?: number;
  /** Before the first answer. */
  answerAfterMs?: number;
  /** The connection breaks off after so many bytes of sound: heard ones in recognition, spoken ones in synthesis. */
  cutAfterBytes?: number;
  /** The connection breaks off after the first phrase. */
  cutAfterPhrase?: boolean;
  /** What breaks off is closed as if all were well (1000), not torn (1006). */
  isCutPolite?: boolean;
  /** The answer is no JSON. */
  malformed?: boolean;
  /** The answer lacks what was asked for: `unscored` has words without an assessment. */
  hears?: 'speech' | 'silence' | 'no_match' | 'unscored';
  /** The phrase says this instead of `Success`. */
  status?: 'Error' | 'TooManyRequests' | 'BadRequest' | 'Forbidden';

  /** What is said; else the reference text, else a sentence of the twin's own. */
  said?: string;
  /** Words of the reference text that are left out, each once. */
  omitted?: readonly string[];
  inserted?: readonly { word: string; before: string }[];
  /** By word in lower case. */
  words?: Readonly<Record<string, TwinWord>>;
  /** Continuous recognition answers in as many phrases, with these scores. */
  segments?: readonly TwinScores[];
  /** Single-shot recognition hears a pause here and ends, with half of the words. */
  stopsAtMs?: number;
  /** Silence before the first word. */
  startsAtMs?: number;
  /** The melody: Azure's verdict and a confidence of it. */
  monotone?: { verdict: boolean; confidence?: number };
}

export interface TwinCall {
  readonly kind: 'recognition' | 'synthesis';
  readonly path: string;
  readonly key: string | null;
  /** Recognition: in lower case, `interactive`, `conversation` or `dictation`. */
  mode: string | null;
  /** Paths of the messages that came, each once, in order. */
  readonly messages: string[];
  /** The body of `speech.context` or `synthesis.context`. */
  context: unknown;
  /** What of it is about pronunciation; null where none was asked for. */
  assessment: Record<string, unknown> | null;
  /** Sound that came, without its WAV header. */
  audioBytes: number;
  hasAudioEnded: boolean;
  ssml: string | null;
  /** Sound that was sent. */
  spokenBytes: number;
  state: 'opening' | 'refused' | 'open' | 'closed';
}
