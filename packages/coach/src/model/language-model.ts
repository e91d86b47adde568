/** The port for language models. */
import type { z } from 'zod';

export interface Message {
  role: 'coach' | 'learner';
  text: string;
}

/** Stored in the usage ledger. */
export const MODEL_PURPOSES = ['reply', 'judge', 'review', 'hint', 'translate', 'draft'] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

export interface LanguageModelRequest {
  purpose: ModelPurpose;
  /** Contains only our own words. It takes precedence over all messages. */
  instructions: string;
  messages: readonly Message[];
  maxOutputTokens: number;
  /** Aborting also cancels the provider's request. */
  signal: AbortSignal;
  /**
   * Called for each billed request, including failed, aborted and retried ones, with the reported usage or a conservative estimate. It is
   * awaited before the stream ends or the failure is thrown.
   */
  onUsage?: (usage: Usage) => Promise<void>;
}

/** Token counts. */
export interface Usage {
  input: number;
  /** The part of the input that the provider served from its cache at a lower price. */
  cached: number;
  /** The part of the input that the provider wrote to its cache; absent when it wrote nothing. */
  cacheWrite?: number;
  output: number;
  /** The provider did not report usage, because the request failed or was aborted. */
  isEstimate?: boolean;
}

export type ModelEvent = { type: 'text'; text: string } | { type: 'done' };

/** For a model that must be loaded into memory before it can answer, which can take minutes. */
export interface ModelLoading {
  /**
   * Resolves when the model is in memory. Aborting the signal ends only the wait; loading continues. Throws when the server is unreachable
   * or loading takes too long.
   */
  load: (signal: AbortSignal) => Promise<void>;
  isUnderWay: () => boolean;
}

export interface LanguageModel {
  /** The provider's name for it. */
  readonly name: string;
  /** Absent when the provider keeps its models ready. A request also loads the model. */
  readonly loading?: ModelLoading;
  /** Streams text, then `done` exactly once. May throw a `ServiceFailure` at any point. */
  stream: (request: LanguageModelRequest) => AsyncIterable<ModelEvent>;
  /**
   * Returns one value of this schema. An invalid answer is requested once more and then becomes a `ServiceFailure`. The schema must not have
   * optional fields, because providers require every property.
   */
  structured: <Shape extends z.ZodType>(
    request: LanguageModelRequest & {
      name: string;
      schema: Shape;
      /** Replacements for the messages, tried in order while the messages do not fit into the model's context. */
      shorterMessages?: readonly (readonly Message[])[];
    },
  ) => Promise<{ value: z.infer<Shape> }>;
}
