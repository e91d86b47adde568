/** A language model whose every charged call stands in the ledger, and which is called only where a budget is left for it. */
import type { Asked, LanguageModel, Usage } from '@parley/coach/model';
import { estimateTokens, type Ledger, type Reservation, tokenCostMicros } from '../metering/index.ts';

export interface MeterParts {
  ledger: Ledger;
  newId: () => string;
  userId: string;
  sessionId: string | null;
  /** A model of one's own costs nothing that could be counted. */
  isFree: boolean;
}

export function metered(model: LanguageModel, { ledger, newId, userId, sessionId, isFree }: MeterParts): LanguageModel {
  const note = ({ purpose }: Asked, usage: Usage): Promise<void> =>
    ledger.note({
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

  /** Null for what costs nothing. */
  const reserve = async ({ instructions, messages, maxOutputTokens }: Asked): Promise<Reservation | null> => {
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
        yield* model.stream({ ...asked, used: (usage) => note(asked, usage) });
      } finally {
        await reservation?.release();
      }
    },
    async structured(asked) {
      const reservation = await reserve(asked);
      try {
        return await model.structured({ ...asked, used: (usage) => note(asked, usage) });
      } finally {
        await reservation?.release();
      }
    },
  };
}
