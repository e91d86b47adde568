/** An in-memory mailbox: returns the newest message to an address and signs in with it. */
import type { AccountState } from '@parley/contract';
import type { AppOptions } from '@parley/sync-server';
import type { OpenHost } from './open-host.ts';

type Enqueue = NonNullable<AppOptions['enqueueMail']>;
type QueuedMail = Parameters<Enqueue>[1];

export interface Mailbox {
  enqueueMail: Enqueue;
  newest(to: string): { code: string; link: string };
  /** The language in which the newest message to an address was requested. */
  languageOf(to: string): string | null;
  signIn(opened: Pick<OpenHost, 'ask'>, email: string): Promise<AccountState>;
}

export function aMailbox(): Mailbox {
  const mails: QueuedMail[] = [];
  const newest = (to: string): { code: string; link: string } => {
    const found = mails.findLast((each) => each.to === to);
    if (found?.kind !== 'sign_in' || found.data.code === null) throw new Error('no message with a code');
    return { code: found.data.code, link: found.data.link };
  };
  const enqueueMail: Enqueue = async (_tx, letter) => void mails.push(letter);
  return {
    enqueueMail,
    newest,
    languageOf: (to) => mails.findLast((each) => each.to === to)?.language ?? null,
    signIn: async ({ ask }: Pick<OpenHost, 'ask'>, email: string) => {
      await ask.account.requestSignIn({ email });
      return ask.account.signIn({ email, code: newest(email).code });
    },
  };
}
