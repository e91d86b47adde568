/** What a server's mail would bring: the newest message to an address, and how somebody signs in with it. */
import type { AccountState } from '@parley/contract';
import type { AppParts } from '@parley/sync-server';
import type { OpenHost } from './open-host.ts';

type Enqueue = NonNullable<AppParts['enqueueMail']>;
type Letter = Parameters<Enqueue>[1];

export interface Mailbox {
  enqueueMail: Enqueue;
  newest(to: string): { code: string; link: string };
  signIn(opened: OpenHost, email: string): Promise<AccountState>;
}

export function aMailbox(): Mailbox {
  const letters: Letter[] = [];
  const newest = (to: string): { code: string; link: string } => {
    const found = letters.findLast((each) => each.to === to);
    if (found?.kind !== 'sign_in' || found.data.code === null) throw new Error('no message with a code');
    return { code: found.data.code, link: found.data.link };
  };
  const enqueueMail: Enqueue = async (_tx, letter) => void letters.push(letter);
  return {
    enqueueMail,
    newest,
    signIn: async ({ ask }: OpenHost, email: string) => {
      await ask.account.requestSignIn({ email });
      return ask.account.signIn({ email, code: newest(email).code });
    },
  };
}
