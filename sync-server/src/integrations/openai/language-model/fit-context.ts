/**
 * Shortens a dialogue that does not fit into a model's context. llama.cpp and vLLM reject the request, and would reject every later one of
 * the same conversation; Ollama and LM Studio say beforehand how much fits.
 */
import type { Message, ModelEvent } from '@parley/coach/model';
import { ProviderError } from '../connection/provider-error.ts';
import type { FitsContext } from './context-length.ts';

/** A dialogue that does not fit even without its old turns is sent at its shortest. */
export function shortenToFit(messages: readonly Message[], fits: FitsContext): readonly Message[] {
  const shorter = fits(messages) ? null : withoutOldTurns(messages);
  return shorter === null ? messages : shortenToFit(shorter, fits);
}

/** Leaves out the variants that do not fit, but never the last and shortest. */
export function skipTooLong(
  [messages, ...shorterMessages]: readonly [readonly Message[], ...(readonly Message[])[]],
  fits: FitsContext,
): readonly [readonly Message[], ...(readonly Message[])[]] {
  const [shorter, ...others] = shorterMessages;
  return shorter === undefined || fits(messages)
    ? [messages, ...shorterMessages]
    : skipTooLong([shorter, ...others], fits);
}

export async function* fitContext(
  messages: readonly Message[],
  ask: (messages: readonly Message[]) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  try {
    yield* ask(messages);
  } catch (error) {
    // A rejected request was not answered at all.
    const shorter = isTooLong(error) ? withoutOldTurns(messages) : null;
    if (shorter === null) throw error;
    yield* fitContext(shorter, ask);
  }
}

/** Sends the first of these lists of messages that fits. */
export async function askWithFitting<Answer>(
  [messages, ...shorterMessages]: readonly [readonly Message[], ...(readonly Message[])[]],
  ask: (messages: readonly Message[]) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(messages);
  } catch (error) {
    const [shorter, ...others] = shorterMessages;
    if (shorter === undefined || !isTooLong(error)) throw error;
    return askWithFitting([shorter, ...others], ask);
  }
}

const isTooLong = (error: unknown): boolean => error instanceof ProviderError && error.isTooLong;

/** Keeps the first message, which sets the scene, and the newer half of the turns. Roles still alternate. Null when nothing can be left out. */
function withoutOldTurns([first, ...turns]: readonly Message[]): readonly Message[] | null {
  const newer = turns.slice(Math.ceil(turns.length / 2));
  const from = newer.findIndex(({ role }) => role !== first?.role);
  return first === undefined || from === -1 ? null : [first, ...newer.slice(from)];
}
