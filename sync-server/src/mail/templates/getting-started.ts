/** Reminders before the first practice: to sign in, and then to begin. */
import type { AccessData } from './access.ts';
import type { MailBody } from './mail-body.ts';
import { greeting } from './wording.ts';

interface Words {
  subject: string;
  title: string;
  text: string;
}

const NOT_LOGGED_IN: Record<string, Words> = {
  1: {
    subject: 'Your place at Parley is ready',
    title: 'Your place is ready',
    text: 'You have access to Parley and have not been in yet. One link, and you are there.',
  },
  2: {
    subject: 'Five minutes of English?',
    title: 'Five minutes are enough',
    text: 'A first practice at Parley takes about five minutes: you talk, a coach answers, and you see which words were clear.',
  },
  3: {
    subject: 'Last reminder: your access to Parley',
    title: 'We will not remind you again',
    text: 'Your access to Parley stays, and this is our last reminder to use it. Come in whenever you like.',
  },
};

const NOT_YET_PRACTISED: Record<string, Words> = {
  1: {
    subject: 'Your first conversation is waiting',
    title: 'Your first conversation',
    text: 'You have signed in to Parley; the first conversation is still ahead. Pick a topic that you would talk about anyway: a meeting, an order, a trip.',
  },
  2: {
    subject: 'Nobody hears you but your coach',
    title: 'Nobody else is listening',
    text: 'The first sentence is the hardest. At Parley nobody hears it but your coach; you can say it again as often as you like, and your recordings are kept on your computer only.',
  },
  3: {
    subject: 'Last reminder: a first practice at Parley',
    title: 'We will not remind you again',
    text: 'This is our last reminder to begin. If speaking is too much today, begin by typing: a written practice takes a few minutes and needs no microphone.',
  },
};

export interface NotYetPractisedData {
  firstName: string | null;
}

const wordsOf = (byStep: Record<string, Words>, step: string): Words => {
  const words = byStep[step] ?? byStep['1'];
  if (words === undefined) throw new Error('a reminder without words');
  return words;
};

export function notLoggedIn({ firstName, link }: AccessData, step: string): MailBody {
  const { subject, title, text } = wordsOf(NOT_LOGGED_IN, step);
  return {
    subject,
    preview: 'Your access is waiting for you.',
    title,
    blocks: [
      { type: 'text', text: greeting(firstName) },
      { type: 'text', text },
      { type: 'button', label: 'Open Parley', href: link },
      { type: 'text', text: 'The link signs you in and works for 7 days.' },
    ],
    why: 'You get this because you were given access to Parley.',
  };
}

export function notYetPractised({ firstName }: NotYetPractisedData, step: string): MailBody {
  const { subject, title, text } = wordsOf(NOT_YET_PRACTISED, step);
  return {
    subject,
    preview: 'It takes about five minutes.',
    title,
    blocks: [
      { type: 'text', text: greeting(firstName) },
      { type: 'text', text },
      { type: 'text', text: 'Open Parley on your computer and choose a practice. Your coach speaks first.' },
    ],
    why: 'You get this because you signed in to Parley and have not practised yet.',
  };
}
