/** Somebody wants to sign in. */
import type { MailBody } from './mail-body.ts';

export interface SignInData {
  /** Six digits. */
  code: string;
  /** Opens the page on which they press a button; opening alone signs nobody in. */
  link: string;
}

/** Threes are typed with fewer mistakes than sixes. */
const inThrees = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2');

export const signIn = ({ code, link }: SignInData): MailBody => ({
  subject: 'Your code to sign in to Parley',
  preview: 'It works once, for 15 minutes.',
  title: 'Your code to sign in',
  blocks: [
    { type: 'text', text: 'Type this code in Parley:' },
    { type: 'code', code: inThrees(code) },
    { type: 'text', text: 'Or open this link on the computer where you want to sign in:' },
    { type: 'button', label: 'Sign in to Parley', href: link },
    { type: 'text', text: 'The code and the link work once, for 15 minutes.' },
    {
      type: 'quiet',
      text: 'We will never ask you for this code: not by phone, not by e-mail, not in a chat. Whoever asks is not from Parley.',
    },
  ],
  why: 'Somebody, most likely you, asked to sign in with this address. If it was not you, do nothing: without the code nobody gets in.',
});
