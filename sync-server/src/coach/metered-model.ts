/** A language model whose every charged call stands in the ledger, and which answers no more when the day has cost enough. */
import type { Asked, LanguageModel, Usage } from '@parley/coach/model';
import { type Ledger, tokenCostMicros } from '../metering/index.ts';

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

  return {
    name: model.name,
    async *stream(asked) {
      if (!isFree) await ledger.mayStillSpend();
      yield* model.stream({ ...asked, used: (usage) => note(asked, usage) });
    },
    async structured(asked) {
      if (!isFree) await ledger.mayStillSpend();
      return model.structured({ ...asked, used: (usage) => note(asked, usage) });
    },
  };
}
