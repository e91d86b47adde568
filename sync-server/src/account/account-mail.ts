/** The port through which accounts send e-mail. The composition root provides the adapter. */
import type { PlanAtDeletion } from '@parley/domain';
import type { Database } from '../db/client.ts';
import type { NoCodeReason } from './sign-in/sign-in-emails.ts';

interface MailRecipient {
  /** Null when the recipient is an address that may not have an account. */
  userId: string | null;
  to: string;
  /** Distinguishes mails of the same kind: each combination of kind and step is sent to a learner once. */
  step: string;
  /** The language in which the mail was requested; the account's own language when absent or null. */
  language?: string | null;
}

interface DeletionNotice {
  firstName: string | null;
  eraseAt: Date;
  timeZone: string;
  keepUrl: string;
  askedBy: 'learner' | 'admin';
  /** The end of the running plan; null when there is none. */
  plan: PlanAtDeletion | null;
}

interface SignInMail {
  code: string | null;
  withoutCode: NoCodeReason | null;
  link: string;
  /** Whether the code confirms an action of someone who is signed in. */
  isConfirmation: boolean;
}

export type AccountMail = MailRecipient &
  (
    | { kind: 'sign_in'; data: SignInMail }
    | { kind: 'access_link'; data: { firstName: string | null; link: string } }
    | { kind: 'goodbye'; data: DeletionNotice }
  );

/** Enqueues in the caller's transaction, so that the mail and its reason are committed together. */
export type EnqueueAccountMail = (tx: Database, mail: AccountMail) => Promise<unknown>;
