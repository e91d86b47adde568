/** A question to a model and what comes of it, for tests; with waits that no test notices. */
import type { Asked, LanguageModel, ModelEvent, Usage } from '@parley/coach/model';
import { createOpenAiModel, type OpenAiModelOptions } from '../language-model.ts';
import type { OpenAiTwin, TwinStep } from '../twin/index.ts';

/** A busy machine is not taken for a silent server. */
export const PATIENT = { firstByteMs: 5_000, silenceMs: 5_000, retryWaitMs: 300, backoffMs: 5 };
/** For servers that do fall silent. */
export const IMPATIENT = { ...PATIENT, firstByteMs: 250, silenceMs: 250 };

export const timeoutsFor = (steps: readonly TwinStep[]): typeof PATIENT =>
  steps.some(({ does }) => does === 'answer_late' || does === 'fall_silent') ? IMPATIENT : PATIENT;

export const SECRET = 'my sister Ludmila is ill';

export const modelAt = ({ url, key }: Pick<OpenAiTwin, 'url' | 'key'>, options: Partial<OpenAiModelOptions> = {}) =>
  createOpenAiModel({ apiKey: key, baseUrl: url, model: 'gpt-4o-mini', timeouts: PATIENT, ...options });

export const asked = (overrides: Partial<Asked> = {}): Asked => ({
  purpose: 'reply',
  instructions: 'You are Marta Nowak, a landlady. Keep to your role.',
  messages: [
    { role: 'coach', text: 'Good morning. You wrote that you look for a room?' },
    { role: 'learner', text: `I want to move because ${SECRET}` },
  ],
  maxOutputTokens: 400,
  signal: new AbortController().signal,
  ...overrides,
});

export interface Outcome {
  /** All the words that came, joined. */
  text: string;
  pieces: number;
  done: Extract<ModelEvent, { type: 'done' }> | null;
  /** What was thrown, in the middle or at the beginning. */
  thrown: unknown;
  /** What was charged, call by call. */
  used: Usage[];
}

/** A question that notes what answering it cost. */
export function askedAndCharged(overrides: Partial<Asked> = {}): { question: Asked; used: Usage[] } {
  const used: Usage[] = [];
  return { question: asked({ ...overrides, used: async (usage) => void used.push(usage) }), used };
}

export async function hear(model: LanguageModel, question: Asked): Promise<Outcome> {
  const outcome: Outcome = { text: '', pieces: 0, done: null, thrown: null, used: [] };
  const used = async (usage: Usage): Promise<void> => void outcome.used.push(usage);
  try {
    for await (const event of model.stream({ ...question, used })) {
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
