/** Wraps a language model so that each call needs a budget and is recorded in the ledger. */
import type { LanguageModelRequest, LanguageModel, Usage } from '@parley/coach/model';
import { estimateTokens, type Ledger, type Reservation, tokenCostMicros } from '../metering/index.ts';

export interface MeteredModelParts {
  ledger: Ledger;
  newId: () => string;
  userId: string;
  sessionId: string | null;
  /** A self-hosted model costs nothing. */
  isFree: boolean;
}

export function createMeteredModel(
  model: LanguageModel,
  { ledger, newId, userId, sessionId, isFree }: MeteredModelParts,
): LanguageModel {
  const recordUsage = ({ purpose }: LanguageModelRequest, usage: Usage): Promise<void> =>
    ledger.record({
      id: newId(),
      userId,
      sessionId,
      use: purpose,
      style: 'turn_based',
      costMicros: isFree ? 0 : tokenCostMicros(model.name, usage),
      model: model.name,
      tokens: usage,
      isEstimate: usage.isEstimate ?? false,
    });

  /** Returns null when the model is free. */
  const reserve = async ({
    instructions,
    messages,
    maxOutputTokens,
  }: LanguageModelRequest): Promise<Reservation | null> => {
    if (isFree) return null;
    const texts = [instructions, ...messages.map(({ text }) => text)];
    const costMicros = tokenCostMicros(model.name, estimateTokens(texts, maxOutputTokens));
    return ledger.reserve({ userId, costMicros, isLeased: false });
  };

  return {
    name: model.name,
    async *stream(asked) {
      const reservation = await reserve(asked);
      try {
        yield* model.stream({ ...asked, onUsage: (usage) => recordUsage(asked, usage) });
      } finally {
        await reservation?.release();
      }
    },
    async structured(asked) {
      const reservation = await reserve(asked);
      try {
        return await model.structured({ ...asked, onUsage: (usage) => recordUsage(asked, usage) });
      } finally {
        await reservation?.release();
      }
    },
  };
}
