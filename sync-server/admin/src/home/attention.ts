/** Words for what waits on Home. */
import type { AdminOverview } from '@parley/contract';

const NUMBERS = ['Nothing', 'One thing', 'Two things', 'Three things', 'Four things', 'Five things', 'Six things'];

export function homeTitle({ access, mail, payments }: AdminOverview['waiting']): string {
  const count = access + mail + payments;
  const things = NUMBERS[count] ?? `${count} things`;
  return `${things} need${count <= 1 ? 's' : ''} you`;
}

export const requestCount = (count: number): string => (count === 1 ? 'One request' : `${count} requests`);
export const grantLabel = (count: number): string => (count === 1 ? 'Let this learner in' : `Let all ${count} in`);
