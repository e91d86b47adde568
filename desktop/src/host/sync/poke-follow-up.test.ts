import type { TableRows } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPokeFollowUp } from './poke-follow-up.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sessions = (...statuses: string[]): TableRows[] => [
  { table: 'ai_conversations', fields: ['content'], rows: [['completed']] },
  {
    table: 'practice_history',
    fields: ['id', 'status'],
    rows: statuses.map((status, at) => [`session ${at}`, status]),
  },
];

describe('the follow-up to a poke', () => {
  it('starts at once for a session that is over, and for no other', () => {
    const run = vi.fn();
    const followUp = createPokeFollowUp(run);
    followUp.onRowsStored(sessions('in_progress'));
    expect(run).not.toHaveBeenCalled();
    followUp.onRowsStored(sessions('in_progress', 'completed'));
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('starts once more for all pokes that come soon after another', () => {
    const run = vi.fn();
    const followUp = createPokeFollowUp(run);
    for (let poke = 0; poke < 20; poke += 1) followUp.onRowsStored(sessions('completed'));
    expect(run).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('starts no more after it was cancelled', () => {
    const run = vi.fn();
    const followUp = createPokeFollowUp(run);
    for (let poke = 0; poke < 2; poke += 1) followUp.onRowsStored(sessions('failed_to_generate_score'));
    followUp.cancel();
    vi.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
