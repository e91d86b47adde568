/**
 * Meters the usage of a call: as the provider reports it, or as an estimate if the call ended before it was reported.
 */
import type { ModelEvent, Usage } from '@parley/coach/model';
import { ProviderError } from './provider-error.ts';
import type { ModelRequest } from '../language-model/model-request.ts';

/** English has four to five letters per token, and other scripts need more bytes per character, so the estimate errs on the high side. */
const BYTES_PER_TOKEN = 4;
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

const wasRejectedByProvider = (error: unknown): boolean => error instanceof ProviderError && error.wasRejected;

/** Records a charge when the stream ends, even if the caller stopped reading: the provider charges for every request that it accepted. */
export async function* meterStream<Chunk>(
  chunks: AsyncIterable<Chunk>,
  recordUsage: () => Promise<void>,
): AsyncGenerator<Chunk, void> {
  let isFree = false;
  try {
    yield* chunks;
  } catch (error) {
    isFree = wasRejectedByProvider(error);
    throw error;
  } finally {
    if (!isFree) await recordUsage();
  }
}

/** Does the same for a response that arrives in one piece. */
export async function meterCall<Answer>(answer: Promise<Answer>, recordUsage: () => Promise<void>): Promise<Answer> {
  let isFree = false;
  try {
    return await answer;
  } catch (error) {
    isFree = wasRejectedByProvider(error);
    throw error;
  } finally {
    if (!isFree) await recordUsage();
  }
}

/** Meters one call of a language model. `answer` reports the provider's usage as soon as it is known. */
export async function* meterModelAnswer(
  { onUsage }: Pick<ModelRequest, 'onUsage'>,
  sent: object,
  answer: (report: (usage: Usage) => void) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  let reported: Usage | null = null;
  let words = '';
  const estimate = (): Usage => ({
    input: estimateTokens(JSON.stringify(sent)),
    cached: 0,
    output: estimateTokens(words),
    isEstimate: true,
  });
  const events = answer((usage) => {
    reported = usage;
  });
  for await (const event of meterStream(events, async () => onUsage?.(reported ?? estimate()))) {
    if (event.type === 'text') words += event.text;
    yield event;
  }
}
