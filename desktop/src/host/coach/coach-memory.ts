/**
 * Lists what the coach remembers about the learner. The server writes these lines into the learner's row; each can be
 * deleted.
 */
import { eq } from 'drizzle-orm';
import type { HostResult } from '../result/index.ts';
import { type Store, users } from '../store/index.ts';
import type { CoachClient } from './coach-client.ts';

export interface CoachMemory {
  lines(): string[];
  forgetLine(line: string): Promise<HostResult<void>>;
}

export function createCoachMemory({ store, coach }: { store: Store; coach: CoachClient }): CoachMemory {
  return {
    lines() {
      const row = store.db
        .select({ summary: users.summary })
        .from(users)
        .where(eq(users.userId, store.identity().userId))
        .get();
      return (row?.summary ?? '').split('\n').filter((line) => line.trim() !== '');
    },
    // Only the server writes this row; the next pull returns it without the line.
    forgetLine: (line) => coach.forgetMemory(line),
  };
}
