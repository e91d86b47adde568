/** A language model whose every call stands in the ledger, and which answers no more when the day has cost enough. */
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
    });

  return {
    name: model.name,
    async *stream(asked) {
      if (!isFree) await ledger.mayStillSpend();
      for await (const event of model.stream(asked)) {
        // Before whoever reads can stop reading: what was used is paid for, heard or not.
        if (event.type === 'done') await note(asked, event.usage);
        yield event;
      }
    },
    async structured(asked) {
      if (!isFree) await ledger.mayStillSpend();
      const answer = await model.structured(asked);
      await note(asked, answer.usage);
      return answer;
    },
  };
}
