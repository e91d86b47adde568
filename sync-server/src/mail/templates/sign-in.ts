/** Somebody wants to sign in. */
import type { MailBody } from './mail-body.ts';

export interface SignInData {
  /** Six digits; null where none would be taken. */
  code: string | null;
  /** Why there is none; null when there is one. */
  withoutCode: 'guessed' | 'paused' | 'browser' | null;
  /** Opens the page on which they press a button; opening alone signs nobody in. */
  link: string;
}

/** Threes are typed with fewer mistakes than sixes. */
const inThrees = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2');

export const signIn = ({ code, withoutCode, link }: SignInData): MailBody =>
  code === null ? byLinkAlone(link, withoutCode) : byCodeOrLink(inThrees(code), link);

const WHY = 'Somebody, most likely you, asked to sign in with this address. If it was not you, do nothing:';

const byCodeOrLink = (code: string, link: string): MailBody => ({
  subject: 'Your code to sign in to Parley',
  preview: 'It works once, for 15 minutes.',
  title: 'Your code to sign in',
  blocks: [
    { type: 'text', text: 'Type this code in Parley:' },
    { type: 'code', code },
    { type: 'text', text: 'Or open this link on the computer where you want to sign in:' },
    { type: 'button', label: 'Sign in to Parley', href: link },
    { type: 'text', text: 'The code and the link work once, for 15 minutes.' },
    {
      type: 'quiet',
      text: 'We will never ask you for this code: not by phone, not by e-mail, not in a chat. Whoever asks is not from Parley.',
    },
  ],
  why: `${WHY} without the code nobody gets in.`,
});

const WHY_NO_CODE = {
  guessed:
    'This e-mail has no code, because wrong codes were typed for your address too often. If that was not you, somebody was guessing: nobody got in, and codes work again in a while.',
  paused: 'This e-mail has no code, because codes are switched off for a while. The link works as always.',
} as const;

const byLinkAlone = (link: string, withoutCode: SignInData['withoutCode']): MailBody => ({
  subject: 'Your link to sign in to Parley',
  preview: 'It works once, for 15 minutes.',
  title: 'Your link to sign in',
  blocks: [
    { type: 'text', text: 'Open this link on the computer where you want to sign in:' },
    { type: 'button', label: 'Sign in to Parley', href: link },
    { type: 'text', text: 'The link works once, for 15 minutes.' },
    ...(withoutCode === 'guessed' || withoutCode === 'paused'
      ? [{ type: 'quiet' as const, text: WHY_NO_CODE[withoutCode] }]
      : []),
  ],
  why: `${WHY} without the link nobody gets in.`,
});
