/** What a live coach remembers: lines that the server wrote into the learner's own row, to be read here and deleted one by one. */
import { eq } from 'drizzle-orm';
import type { Answer } from '../answer/index.ts';
import { type Store, users } from '../store/index.ts';
import type { CloudCoach } from './cloud-coach.ts';

export interface CoachMemory {
  lines(): string[];
  forget(line: string): Promise<Answer<void>>;
}

export function createCoachMemory({ store, coach }: { store: Store; coach: CloudCoach }): CoachMemory {
  return {
    lines() {
      const row = store.db
        .select({ summary: users.summary })
        .from(users)
        .where(eq(users.userId, store.identity().userId))
        .get();
      return (row?.summary ?? '').split('\n').filter((line) => line.trim() !== '');
    },
    // The row is the server's to write: it comes back without the line by sync.
    forget: (line) => coach.forget(line),
  };
}
