/** Reminders before the first practice: to sign in, and then to start. */
import type { Localizer } from '@parley/i18n';
import { type AccessData, whereToOpen } from './access.ts';
import type { MailBody } from './mail-body.ts';
import { greeting } from './format.ts';

interface ReminderText {
  subject: string;
  title: string;
  text: string;
}

function notLoggedInText({ t }: Localizer, step: string): ReminderText {
  switch (step) {
    case '2':
      return {
        subject: t('Five minutes of English?'),
        title: t('Five minutes is enough'),
        text: t(
          'Your first practice takes about five minutes. You talk, a coach answers, and you see which words were clear.',
        ),
      };
    case '3':
      return {
        subject: t('Last reminder: your access to Parley'),
        title: t('This is our last reminder'),
        text: t('You still have access to Parley, and you can start whenever you like. We won’t remind you again.'),
      };
    default:
      return {
        subject: t('Your place at Parley is ready'),
        title: t('Your place is ready'),
        text: t('You have access to Parley, but you haven’t signed in yet. Here’s a link that signs you in.'),
      };
  }
}

function notYetPractisedText({ t }: Localizer, step: string): ReminderText {
  switch (step) {
    case '2':
      return {
        subject: t('Only your coach is listening'),
        title: t('Only your coach is listening'),
        text: t(
          'The first sentence is the hardest. In Parley, only your coach hears it, and you can say it again as often as you like.',
        ),
      };
    case '3':
      return {
        subject: t('Last reminder: your first practice'),
        title: t('This is our last reminder'),
        text: t(
          'If you don’t feel like speaking today, start by typing. A written practice takes a few minutes and needs no microphone. We won’t remind you again.',
        ),
      };
    default:
      return {
        subject: t('Ready for your first conversation?'),
        title: t('Your first conversation'),
        text: t(
          'You’ve signed in to Parley. Now for your first conversation: pick something you’d talk about anyway, such as a meeting, an order or a trip.',
        ),
      };
  }
}

export interface NotYetPractisedData {
  firstName: string | null;
}

export function notLoggedIn(localizer: Localizer, { firstName, link }: AccessData, step: string): MailBody {
  const { t } = localizer;
  const { subject, title, text } = notLoggedInText(localizer, step);
  return {
    subject,
    preview: t('You can start right away.'),
    title,
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      { type: 'text', text },
      { type: 'button', label: t('Open Parley'), href: link },
      whereToOpen(localizer),
      { type: 'text', text: t('The link signs you in and works for 7 days.') },
    ],
    why: t('You’re getting this e-mail because you were given access to Parley.'),
  };
}

export function notYetPractised(localizer: Localizer, { firstName }: NotYetPractisedData, step: string): MailBody {
  const { t } = localizer;
  const { subject, title, text } = notYetPractisedText(localizer, step);
  return {
    subject,
    preview: t('It takes about five minutes.'),
    title,
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      { type: 'text', text },
      { type: 'text', text: t('Open Parley on your computer and choose a practice. Your coach speaks first.') },
    ],
    why: t('You’re getting this e-mail because you signed in to Parley and haven’t practised yet.'),
  };
}
