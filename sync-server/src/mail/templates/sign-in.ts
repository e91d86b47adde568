/** The mail with a code and a link to sign in, or with a code that confirms an action of someone who is signed in. */
import type { Localizer } from '@parley/i18n';
import type { Block, MailBody } from './mail-body.ts';

export interface SignInData {
  /** Six digits; null when a code would not be accepted. */
  code: string | null;
  /** Why there is no code; null when there is one. */
  withoutCode: 'guessed' | 'paused' | 'browser' | null;
  /** Opens a page with a button. Opening it does not sign anyone in, because mail scanners open links too. */
  link: string;
  isConfirmation?: boolean;
}

/** Two groups of three digits are typed with fewer mistakes. */
const groupDigits = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2');

export function signIn(localizer: Localizer, { code, withoutCode, link, isConfirmation }: SignInData): MailBody {
  if (code === null) return byLinkOnly(localizer, link, withoutCode);
  return isConfirmation === true
    ? toConfirm(localizer, groupDigits(code))
    : byCodeOrLink(localizer, groupDigits(code), link);
}

/** The person who asked is signed in already, so a recipient who did not ask must not ignore it. */
const toConfirm = ({ t }: Localizer, code: string): MailBody => ({
  subject: t('Your Parley confirmation code'),
  preview: t('It works once, for 15 minutes.'),
  title: t('Your confirmation code'),
  blocks: [
    { type: 'text', text: t('Type this code where Parley asks for it, to confirm that it’s you:') },
    { type: 'code', code },
    { type: 'text', text: t('The code works once, for 15 minutes.') },
    neverShare(t),
  ],
  why: t(
    'You’re getting this e-mail because someone who is signed in to your account asked for something that needs a code, such as deleting the account or downloading its data. If that wasn’t you, don’t use the code: choose “Sign out everywhere” on your account page.',
  ),
});

const neverShare = (t: Localizer['t']): Block => ({
  type: 'quiet',
  text: t('Don’t share this code. We will never ask you for it by phone, by e-mail or in a chat.'),
});

const byCodeOrLink = ({ t }: Localizer, code: string, link: string): MailBody => ({
  subject: t('Your Parley sign-in code'),
  preview: t('It works once, for 15 minutes.'),
  title: t('Your sign-in code'),
  blocks: [
    { type: 'text', text: t('Type this code in Parley:') },
    { type: 'code', code },
    { type: 'text', text: t('Or open this link on the computer where you want to sign in:') },
    { type: 'button', label: t('Sign in to Parley'), href: link },
    { type: 'text', text: t('The code and the link work once, for 15 minutes.') },
    neverShare(t),
  ],
  why: t(
    'You’re getting this e-mail because someone asked to sign in to Parley with this address. If that wasn’t you, you can ignore it: nothing happens without the code.',
  ),
});

function reasonForNoCode({ t }: Localizer, withoutCode: SignInData['withoutCode']): string | null {
  if (withoutCode === 'guessed')
    return t(
      'This e-mail has no code, because too many wrong codes were entered for your address. If that wasn’t you, your account is still safe: no code was guessed. Codes will work again later.',
    );
  if (withoutCode === 'paused')
    return t('This e-mail has no code, because codes are switched off for a while. The link works as always.');
  return null;
}

function byLinkOnly(localizer: Localizer, link: string, withoutCode: SignInData['withoutCode']): MailBody {
  const { t } = localizer;
  const reason = reasonForNoCode(localizer, withoutCode);
  return {
    subject: t('Your Parley sign-in link'),
    preview: t('It works once, for 15 minutes.'),
    title: t('Your sign-in link'),
    blocks: [
      { type: 'text', text: t('Open this link on the computer where you want to sign in:') },
      { type: 'button', label: t('Sign in to Parley'), href: link },
      { type: 'text', text: t('The link works once, for 15 minutes.') },
      ...(reason === null ? [] : [{ type: 'quiet', text: reason } as const]),
    ],
    why: t(
      'You’re getting this e-mail because someone asked to sign in to Parley with this address. If that wasn’t you, you can ignore it: nothing happens without the link.',
    ),
  };
}
