/** Warns about a model whose price is unknown. */
import { hasRealtimePrice, hasTokenPrice } from '../metering/index.ts';
import type { Service } from './explain-failure.ts';

/** Only the first call of each kind of model warns. */
const HAS_PRICE_BY_CALL: Readonly<Record<string, (model: string) => boolean>> = {
  reply: hasTokenPrice,
  'realtime hello': hasRealtimePrice,
};

/** Without a price, a small model uses up a day's limits after a few replies, and nothing else would say why. */
export function unlistedModelWarning(
  call: string,
  { model, modelVariable }: Pick<Service, 'model' | 'modelVariable'>,
): string | null {
  if (model === null || (HAS_PRICE_BY_CALL[call]?.(model) ?? true)) return null;
  return `The price list does not contain ${model}, so it is counted at the highest price and reaches AI_DAILY_LIMIT_USD and AI_LEARNER_LIMITS_USD far too early. Update the server, choose another model in ${modelVariable}, or raise these limits.`;
}
