/** Scripts what the fake does with a connection and records what it saw. A connection without a script succeeds. */

export interface ScriptedWord {
  accuracy?: number;
  /** Confidence 0-1 of Azure's verdict on the break before the word. */
  unexpectedBreak?: number;
  missingBreak?: number;
  /** The phoneme that is heard instead of the word's first one. */
  firstHeardAs?: string;
}

export interface ScriptedScores {
  accuracy?: number;
  fluency?: number;
  /** Null leaves the score out of the answer. */
  prosody?: number | null;
}

export interface CallScript {
  /** Rejects the upgrade with this status. */
  refuse?: 400 | 401 | 403 | 404 | 429 | 500 | 503;
  /** Delay before the socket is opened. */
  openAfterMs?: number;
  /** Delay before the first answer. */
  answerAfterMs?: number;
  /** Drops the connection after this many bytes of audio: received bytes in recognition, sent bytes in synthesis. */
  cutAfterBytes?: number;
  /** Drops the connection after the first phrase. */
  cutAfterPhrase?: boolean;
  /** A dropped connection is closed normally (1000), not torn down (1006). */
  isCutPolite?: boolean;
  /** A dropped connection is closed with this code and reason. */
  closesWith?: { code: number; reason: string };
  /** The answer is not JSON. */
  malformed?: boolean;
  /** What is recognised; `unscored` answers words without an assessment. */
  hears?: 'speech' | 'silence' | 'no_match' | 'unscored';
  /** The phrase has this status instead of `Success`. */
  status?: 'Error' | 'TooManyRequests' | 'BadRequest' | 'Forbidden';

  /** The words that are recognised; by default the reference text or a default sentence. */
  said?: string;
  /** Words of the reference text that are omitted, each once. */
  omitted?: readonly string[];
  inserted?: readonly { word: string; before: string }[];
  /** Keyed by the word in lower case. */
  words?: Readonly<Record<string, ScriptedWord>>;
  /** Continuous recognition answers one phrase per entry, with these scores. */
  segments?: readonly ScriptedScores[];
  /** Single-shot recognition mistakes a pause here for the end and returns half of the words. */
  stopsAtMs?: number;
  /** Duration of the silence before the first word. */
  startsAtMs?: number;
  /** Azure's verdict on a monotone melody and its confidence. */
  monotone?: { verdict: boolean; confidence?: number };
}

export interface RecordedCall {
  readonly kind: 'recognition' | 'synthesis';
  readonly path: string;
  readonly key: string | null;
  /** The recognition mode in lower case: `interactive`, `conversation` or `dictation`. */
  mode: string | null;
  /** Paths of the received messages, each once, in order. */
  readonly messages: string[];
  /** The body of `speech.context` or `synthesis.context`. */
  context: unknown;
  /** The pronunciation part of the context; null when none was requested. */
  assessment: Record<string, unknown> | null;
  /** Received audio without its WAV header. */
  audioBytes: number;
  hasAudioEnded: boolean;
  ssml: string | null;
  /** Audio that was sent. */
  spokenBytes: number;
  state: 'opening' | 'refused' | 'open' | 'closed';
}
