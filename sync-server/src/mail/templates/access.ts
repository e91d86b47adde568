/** The mail that announces access, and its replacement when the first did not arrive. */
import type { Localizer } from '@parley/i18n';
import type { Block, MailBody } from './mail-body.ts';
import { greeting } from './format.ts';

export interface AccessData {
  firstName: string | null;
  /** The link that signs the learner in, valid for seven days. */
  link: string;
}

/** An invited learner may have only this mail, perhaps on a phone. */
export const whereToOpen = ({ t }: Localizer): Block => ({
  type: 'text',
  text: t(
    'Open the link on the computer where you want to practise. If Parley isn’t installed there yet, the link shows where to get it.',
  ),
});

export function accessLink(localizer: Localizer, { firstName, link }: AccessData): MailBody {
  const { t } = localizer;
  return {
    subject: t('You have access to Parley'),
    preview: t('Open the link and have your first conversation in English.'),
    title: t('You have access'),
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      {
        type: 'text',
        text: t(
          'Welcome to Parley. You can now talk in English with a coach who listens, answers, and then shows you which words to practise.',
        ),
      },
      { type: 'button', label: t('Open Parley'), href: link },
      whereToOpen(localizer),
      {
        type: 'text',
        text: t(
          'The link signs you in and works for 7 days. After that, you can ask for a new one in the app with this e-mail address.',
        ),
      },
      {
        type: 'quiet',
        text: t('Your first practice takes about five minutes. All you need is a microphone and a quiet room.'),
      },
    ],
    why: t('You’re getting this e-mail because you were given access to Parley.'),
  };
}

export function accessLinkAgain(localizer: Localizer, { firstName, link }: AccessData): MailBody {
  const { t } = localizer;
  return {
    subject: t('Here’s your Parley link again'),
    preview: t('The link signs you in and works for 7 days.'),
    title: t('Here’s your link again'),
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      {
        type: 'text',
        text: t('You have access to Parley, but our first e-mail may not have reached you. Here’s a new link:'),
      },
      { type: 'button', label: t('Open Parley'), href: link },
      whereToOpen(localizer),
      {
        type: 'text',
        text: t('The link signs you in and works for 7 days. You can ignore the link in an earlier e-mail.'),
      },
    ],
    why: t('You’re getting this e-mail because you were given access to Parley.'),
  };
}
