/** Sums up the cost of each model, most expensive first. */
import type { AdminNumbers } from '@parley/contract';

export function sumByModel(cost: AdminNumbers['cost']): { model: string; costMicros: number }[] {
  const sums = new Map<string, number>();
  for (const { model, costMicros } of cost) sums.set(model, (sums.get(model) ?? 0) + costMicros);
  return [...sums]
    .map(([model, costMicros]) => ({ model, costMicros }))
    .toSorted((a, b) => b.costMicros - a.costMicros);
}
