/** What accounts have written to learners. Whoever sends it is chosen where the server is put together. */
import type { PlanAtLeaving } from '@parley/domain';
import type { Database } from '../db/client.ts';
import type { WithoutCode } from './sign-in-messages.ts';

interface Letter {
  /** Null: it goes to an address, whoever may have it. */
  userId: string | null;
  to: string;
  /** Which of its kind: the same to the same learner goes out once. */
  step: string;
}

interface Goodbye {
  firstName: string | null;
  eraseAt: Date;
  timeZone: string;
  keepUrl: string;
  /** What becomes of a plan that runs; null where none does. */
  plan: PlanAtLeaving | null;
}

export type AccountMail = Letter &
  (
    | { kind: 'sign_in'; data: { code: string | null; withoutCode: WithoutCode | null; link: string } }
    | { kind: 'access_link'; data: { firstName: string | null; link: string } }
    | { kind: 'goodbye'; data: Goodbye }
  );

/** In the transaction that gives reason for it: either both happen or neither. */
export type EnqueueMail = (tx: Database, mail: AccountMail) => Promise<unknown>;
