/** What a call costs at the provider: as it counts it, or about as much where the call ended before it said so. */
import type { ModelEvent, Usage } from '@parley/coach/model';
import { ProviderTrouble } from './provider-trouble.ts';
import type { Question } from './question.ts';

/** English has four to five letters a token, and scripts of more bytes a sign have fewer bytes to spare: an estimate is rather too high. */
const BYTES_A_TOKEN = 4;
export const tokensAbout = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

const isTurnedAway = (error: unknown): boolean => error instanceof ProviderTrouble && error.isTurnedAway;

/** A provider charges what it has taken on, whether or not anybody hears the end of it. */
export async function* chargedPieces<Piece>(
  pieces: AsyncIterable<Piece>,
  charge: () => Promise<void>,
): AsyncGenerator<Piece, void> {
  let isFree = false;
  try {
    yield* pieces;
  } catch (error) {
    isFree = isTurnedAway(error);
    throw error;
  } finally {
    if (!isFree) await charge();
  }
}

/** The same of an answer that comes in one piece. */
export async function chargedWhole<Answer>(answer: Promise<Answer>, charge: () => Promise<void>): Promise<Answer> {
  let isFree = false;
  try {
    return await answer;
  } catch (error) {
    isFree = isTurnedAway(error);
    throw error;
  } finally {
    if (!isFree) await charge();
  }
}

/** One call of a language model. `answer` reports what the provider says that it took, as soon as it does. */
export async function* chargedAnswer(
  { used }: Pick<Question, 'used'>,
  sent: object,
  answer: (report: (usage: Usage) => void) => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  let reported: Usage | null = null;
  let words = '';
  const estimate = (): Usage => ({
    input: tokensAbout(JSON.stringify(sent)),
    cached: 0,
    output: tokensAbout(words),
    isEstimate: true,
  });
  const answering = answer((usage) => {
    reported = usage;
  });
  for await (const event of chargedPieces(answering, async () => used?.(reported ?? estimate()))) {
    if (event.type === 'text') words += event.text;
    yield event;
  }
}
