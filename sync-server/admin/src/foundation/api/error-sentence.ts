/** Says in a sentence what went wrong and what to do. */
import { t } from '@parley/i18n';
import { ORPCError } from '@orpc/client';
import type { ErrorCode } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { fieldName } from '../screen/field-name.ts';

const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  'account.last_admin': t('This is the only admin of this server. Make another person an admin first.'),
  'account.no_email': t('This account has no e-mail address, so nothing can be sent to it.'),
  'account.leaving': t('This account is about to be erased.'),
  'auth.forbidden': t('You aren’t an admin of this server any more, so nothing was changed.'),
  'auth.required': t('You’re signed out. Sign in again; what you typed is still here.'),
  'auth.confirmation_required': t('Nothing was changed, because you didn’t enter the code.'),
  'coach.busy': t('The language model is busy. Try again in a minute.'),
  'coach.declined': t('The language model didn’t answer this. Write it in other words.'),
  'coach.misconfigured': t('The server can’t use its language model or its voice. Tell the person who runs it.'),
  'coach.spent': t('The server has reached today’s spending limit for AI. Try again tomorrow.'),
  'coach.unavailable': t('The language model can’t be reached. Try again in a minute.'),
  'request.invalid': t('The server didn’t accept this. Check what you typed, then try again.'),
  'request.too_large': t('This is too much at once. Split it into smaller parts.'),
  'request.too_many': t('Too many requests. Wait a minute, then try again.'),
  'sign_in.code_wrong': t('That code is wrong, has already been used, or is older than 15 minutes.'),
  'sign_in.codes_paused': t(
    'Codes are paused because there were too many wrong ones. Open the link in the e-mail instead.',
  ),
  'speech.unavailable': t('The voice of the server can’t be reached. Try again in a minute.'),
  'storage.full': t('The server has no space for this. Ask the person who runs it for more.'),
  'storage.unavailable': t('The server can’t use its storage for files. Tell the person who runs it.'),
  internal: t('Something went wrong on the server. Nothing was lost; try again.'),
};

/** Overrides for cases in which the code alone says too little. */
const DETAILS: Readonly<Partial<Record<string, string>>> = {
  signed_in: t('This learner has signed in already, so only they can change their address.'),
  taken: t('Another account has this address.'),
  set_up: t('Set up your own authenticator app first.'),
  enter: t('Nothing was changed, because you didn’t enter the code from your authenticator app.'),
  app_code_wrong: t('That code is wrong or has already been used. Wait for the next one, then type it.'),
  app_codes_paused: t('There were too many wrong codes. Try again in 15 minutes.'),
  app_code_unreadable: t(
    'The server can’t check your codes any more. Ask another admin, or the person who runs it, to remove your authenticator app.',
  ),
};

/** An error whose message is a sentence for the admin. The messages of all other errors are for engineers. */
export class SentenceError extends Error {}

export function errorSentence(error: unknown): string {
  if (error instanceof ORPCError) {
    const detail = (error.data as { detail?: string } | undefined)?.detail;
    const ofDetail = detail === undefined ? undefined : DETAILS[detail];
    if (ofDetail !== undefined) return ofDetail;
    const sentence = (SENTENCES as Partial<Record<string, string>>)[error.code];
    const field = (error.data as { field?: string } | undefined)?.field;
    if (sentence !== undefined)
      return field === undefined
        ? sentence
        : joinSentences(t, [sentence, t('Check “{field}”.', { field: fieldName(field) })]);
    return t('Something went wrong on the server. Nothing was lost; try again.');
  }
  if (error instanceof SentenceError) return error.message;
  return t('The server can’t be reached. What you typed is still here; try again when you’re connected.');
}
