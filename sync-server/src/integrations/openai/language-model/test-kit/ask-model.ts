/** Asks a model and collects the outcome, with timeouts that tests do not notice. */
import type { LanguageModelRequest, LanguageModel, ModelEvent, Usage } from '@parley/coach/model';
import { createOpenAiModel, type OpenAiModelOptions } from '../language-model.ts';
import type { OpenAiFake, ScriptStep } from '@parley/fakes/openai/index.ts';

/** Long timeouts, so that a busy machine does not count as a silent server. */
export const PATIENT_TIMEOUTS = { firstByteMs: 5_000, silenceMs: 5_000, maxRetryWaitMs: 300, backoffMs: 5 };
/** For servers that do stop answering; long enough for a busy machine to deliver the request. */
export const SHORT_TIMEOUTS = { ...PATIENT_TIMEOUTS, firstByteMs: 800, silenceMs: 500 };

export const timeoutsFor = (steps: readonly ScriptStep[]): typeof PATIENT_TIMEOUTS =>
  steps.some(({ does }) => does === 'answer_late' || does === 'fall_silent') ? SHORT_TIMEOUTS : PATIENT_TIMEOUTS;

export const LEARNER_SECRET = 'my sister Ludmila is ill';

export const modelAt = ({ url, key }: Pick<OpenAiFake, 'url' | 'key'>, options: Partial<OpenAiModelOptions> = {}) =>
  createOpenAiModel({ apiKey: key, baseUrl: url, model: 'gpt-4o-mini', timeouts: PATIENT_TIMEOUTS, ...options });

export const aRequest = (overrides: Partial<LanguageModelRequest> = {}): LanguageModelRequest => ({
  purpose: 'reply',
  instructions: 'You are Marta Nowak, a landlady. Keep to your role.',
  messages: [
    { role: 'coach', text: 'Good morning. You wrote that you look for a room?' },
    { role: 'learner', text: `I want to move because ${LEARNER_SECRET}` },
  ],
  maxOutputTokens: 400,
  signal: new AbortController().signal,
  ...overrides,
});

export interface Outcome {
  /** All text of the answer. */
  text: string;
  pieces: number;
  done: Extract<ModelEvent, { type: 'done' }> | null;
  /** The error that was thrown at the start or in the middle. */
  thrown: unknown;
  /** The recorded usage, one entry per call. */
  used: Usage[];
}

/** A request that records the usage of its answer. */
export function aMeteredRequest(overrides: Partial<LanguageModelRequest> = {}): {
  request: LanguageModelRequest;
  used: Usage[];
} {
  const used: Usage[] = [];
  return { request: aRequest({ ...overrides, onUsage: async (usage) => void used.push(usage) }), used };
}

export async function askModel(model: LanguageModel, request: LanguageModelRequest): Promise<Outcome> {
  const outcome: Outcome = { text: '', pieces: 0, done: null, thrown: null, used: [] };
  const used = async (usage: Usage): Promise<void> => void outcome.used.push(usage);
  try {
    for await (const event of model.stream({ ...request, onUsage: used })) {
      if (event.type === 'done') outcome.done = event;
      else {
        outcome.text += event.text;
        outcome.pieces += 1;
      }
    }
  } catch (error) {
    outcome.thrown = error;
  }
  return outcome;
}
