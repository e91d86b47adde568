/** Somebody has been given access: the mail that says so, and the one when that did not arrive. */
import type { MailBody } from './mail-body.ts';
import { greeting } from './wording.ts';

export interface AccessData {
  firstName: string | null;
  /** Signs in, for seven days. */
  link: string;
}

const WHY = 'You get this because somebody asked for access to Parley with this address.';

export const accessLink = ({ firstName, link }: AccessData): MailBody => ({
  subject: 'You have access to Parley',
  preview: 'Open the link and hold your first conversation in English.',
  title: 'You have access',
  blocks: [
    { type: 'text', text: greeting(firstName) },
    {
      type: 'text',
      text: 'Welcome to Parley. You can now speak English with a coach who listens, answers, and shows you afterwards which words to work on.',
    },
    { type: 'button', label: 'Open Parley', href: link },
    {
      type: 'text',
      text: 'The link signs you in and works for 7 days. After that, ask for a new one in the app, with this address.',
    },
    { type: 'quiet', text: 'Your first practice takes about five minutes. You need a microphone and a quiet room.' },
  ],
  why: WHY,
});

export const accessLinkAgain = ({ firstName, link }: AccessData): MailBody => ({
  subject: 'Your link to Parley, once more',
  preview: 'The first one may not have reached you.',
  title: 'Your link, once more',
  blocks: [
    { type: 'text', text: greeting(firstName) },
    {
      type: 'text',
      text: 'You have access to Parley, but our first e-mail may not have reached you. Here is a new link:',
    },
    { type: 'button', label: 'Open Parley', href: link },
    { type: 'text', text: 'It signs you in and works for 7 days. You can ignore the link in an older e-mail.' },
  ],
  why: WHY,
});
