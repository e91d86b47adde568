/** What a coach asks of a language model, whoever runs it. */
import type { z } from 'zod';

export interface Message {
  role: 'coach' | 'learner';
  text: string;
}

/** What the model is asked for; the ledger keeps it. */
export const MODEL_PURPOSES = ['reply', 'judge', 'review', 'hint', 'translate'] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

export interface Asked {
  purpose: ModelPurpose;
  /** What only we say: it outranks everything in the messages. */
  instructions: string;
  messages: readonly Message[];
  maxOutputTokens: number;
  /** Ends the call upstream too. */
  signal: AbortSignal;
  /**
   * Told of each call that the provider charges, also of one that failed, was hung up or had to be made again: what the provider counted, or an
   * estimate that is rather too high. Before the answer, or its failure, is over.
   */
  used?: (usage: Usage) => Promise<void>;
}

/** Tokens. */
export interface Usage {
  input: number;
  /** Of the input, what the provider had at hand and charges less for. */
  cached: number;
  /** Of the input, what the provider wrote to its cache; left out where it wrote nothing. */
  cacheWrite?: number;
  output: number;
  /** The provider did not say: it broke off, or was hung up. */
  isEstimate?: boolean;
}

export type ModelEvent = { type: 'text'; text: string } | { type: 'done' };

/** Of a model that has to be brought into memory before it can answer, which takes up to minutes. */
export interface ModelLoading {
  /**
   * Resolves when the model is in memory, at once when it is. The load goes on when the signal aborts: only the wait for it ends. Throws when
   * there is no server, or the load takes too long.
   */
  load: (signal: AbortSignal) => Promise<void>;
  isUnderWay: () => boolean;
}

export interface LanguageModel {
  /** As its provider calls it. */
  readonly name: string;
  /** Absent where the provider keeps its models ready. Asking a model loads it. */
  readonly loading?: ModelLoading;
  /** Text as it comes, then `done`, once. Throws a `ModelFailure`, also in the middle. */
  stream: (asked: Asked) => AsyncIterable<ModelEvent>;
  /**
   * One value of this schema. An answer that does not keep to it is asked for once more, then is a `ModelFailure`. The schema has no
   * optional fields: providers want each named.
   */
  structured: <Shape extends z.ZodType>(
    asked: Asked & { name: string; schema: Shape },
  ) => Promise<{ value: z.infer<Shape> }>;
}

export const MODEL_FAILURES = [
  /** The provider refuses the key. */
  'key_refused',
  /** Too many requests, or no money left with the provider. */
  'busy',
  /** No answer, a broken line, a failing provider, silence. */
  'unreachable',
  /** An answer that is none, twice. */
  'malformed',
  /** The provider will not answer this. */
  'declined',
] as const;

/** Transient ones have been tried again before they are thrown. */
export class ModelFailure extends Error {
  readonly reason: (typeof MODEL_FAILURES)[number];
  /** How long the provider asked to be left alone; null when it did not. */
  readonly retryAfterMs: number | null;

  constructor(reason: ModelFailure['reason'], options: ErrorOptions & { retryAfterMs?: number | null } = {}) {
    super(reason, options);
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
