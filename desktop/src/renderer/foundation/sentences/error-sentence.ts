/** Maps each error code to a sentence that says what happened and what to do next. */
import { t } from '@parley/i18n';
import { ORPCError } from '@orpc/client';
import { ERROR_STATUS_BY_CODE, type ErrorCode, ErrorData, isErrorCode } from '@parley/contract';
import { formatDateTime } from './format-date.ts';

const SENTENCE_BY_CODE: Record<ErrorCode, string> = {
  'request.invalid': t('Parley couldn’t read that. Check what you typed, then try again.'),
  'request.too_large': t('That was too long to send. Try it in smaller parts.'),
  'request.too_many': t('Too many tries at once. Wait a minute, then try again.'),
  'auth.required':
    'This device is not connected to an account. Your work stays safe here; connect it again in Settings.',
  'auth.device_revoked':
    'This device was removed from the account. Your work stays safe here; connect it again in Settings.',
  'auth.forbidden': t('You may not do that from this device.'),
  'auth.confirmation_required': t('Please confirm that it’s you. We’ll send six digits to your e-mail address.'),
  'auth.second_factor_required': t(
    'Open the admin panel in your browser and confirm there with your authenticator app.',
  ),
  'practice.not_found': t('This practice is no longer in the catalogue. Choose another one in Practise.'),
  'practice.no_dialogue': t(
    'This practice needs a cloud coach, and none is connected. Choose another one in Practise.',
  ),
  'course.not_found': t('This course is no longer in the catalogue. Choose another one in Courses.'),
  'course.locked': t('This section of the course is locked. Open the course to see why.'),
  'video.not_found': t('This video is no longer in the course. Choose what comes next in Courses.'),
  'session.not_found': t('This session is not on this device. Look for it in History.'),
  'session.already_completed': t('This session is finished. Its result is in History.'),
  'session.ended': t('This conversation has ended. Finish it to see your result.'),
  'turn.not_found': t('That recording is no longer waiting. Record it again.'),
  'turn.not_ready': t('Your coach is still speaking. Wait a moment, or resume the session.'),
  'turn.too_long': 'That turn was too long. What you said until now is kept; send it, then go on.',
  'turn.interrupted': t(
    'Your last recording was interrupted, but what you said until then is kept. Send it, or say it again.',
  ),
  'audio.gap': t('Part of the recording was lost. Record this turn again.'),
  'audio.invalid': t('The recording was empty. Check your microphone, then record again.'),
  'recording.not_found': t('This recording is not on this device. It stays on the device where you made it.'),
  'recording.file_missing': t('The file of this recording is missing. Your scores are still here.'),
  'voice.failed': t('The voice isn’t working right now. The text is on the screen.'),
  'scoring.failed': 'The scores could not be made this time. Your words are kept; try again in a moment.',
  'storage.full': 'This disk is full. Free some space and try again; nothing you saved is lost.',
  'storage.damaged': t('The local database is damaged. Restart Parley to restore the last daily backup.'),
  'server.address_invalid': t('This is not the address of a server. It looks like https://parley.example.'),
  'server.not_secure':
    'Others could read what you send to an http address. Use one that begins with https; http is only for a server on this computer.',
  'server.unreachable': t(
    'Nothing answers at this address. Check it for typing mistakes, and check that you are online. Nothing was changed.',
  ),
  'server.not_trusted': t(
    'This server cannot prove that it is the one you named: its certificate is not valid. Ask the people who run it. Nothing was changed.',
  ),
  'server.not_parley': t('There is a server at this address, but it is not a Parley server. Nothing was changed.'),
  'server.fixed': t('Parley was started with this server, so it cannot be changed here.'),
  'server.answer_changed': t(
    'The server’s answer has changed since you were asked. Nothing was changed. Read again what will happen, and then decide.',
  ),
  'sync.offline': 'The server cannot be reached. What is on this computer is kept; try again when you are online.',
  'sync.gap': t('The server missed some changes. Parley sends them again by itself.'),
  'sync.protocol_too_old':
    'This version of Parley is too old to sync. Update it; until then everything works on this computer.',
  'sync.protocol_too_new': t(
    'The server is older than this Parley. Everything works on this computer until it is updated.',
  ),
  'sync.resync': t(
    'This device hasn’t synced for a long time. Parley fetches everything again and keeps what you haven’t sent.',
  ),
  'coach.unavailable':
    'The coach cannot be reached. Everything you said is kept; try again in a moment, or resume later.',
  'coach.busy': 'The coach has a lot to do. Everything you said is kept; try again in a minute.',
  'coach.misconfigured':
    'The server cannot use its coach: its key or address is refused. Tell whoever runs it; guided practices work.',
  'coach.declined': t('Your coach couldn’t answer that. Say it another way.'),
  'coach.spent':
    'The live coach has reached its limit for today. Guided practices still work; live coaches are back tomorrow.',
  'speech.unavailable':
    'Your words could not be written down. The recording is kept; type what you said, or try again.',
  'quota.out': t(
    'Your live minutes are used up. What you said is kept: finish to see your result. Guided practices are always free.',
  ),
  'live.elsewhere': t('You are in a live conversation on another device. End it there, or move it here.'),
  'live.other_window': t('This conversation is open in another window. Continue there, or take it over here.'),
  'sign_in.code_wrong': t(
    'This code is wrong, was used, or is older than fifteen minutes. Check it, or ask for a new message.',
  ),
  'sign_in.codes_paused': t(
    'Codes are switched off for a while. Open the link in the newest message on this computer.',
  ),
  'sign_in.link_spent': t('This link was used before, or is too old. Ask for a new message.'),
  'access.required': t(
    'Live coaches are only for approved learners here. Everything you’ve recorded is kept, and guided practices work.',
  ),
  'access.taken': t(
    'Your school has ended your access to live coaches. Settings says why. Everything you’ve recorded is still here, and guided practices work.',
  ),
  'access.unconfirmed': t(
    'Parley hasn’t reached the server for three days, so it can’t check your access. Go online once. Guided practices work meanwhile.',
  ),
  'account.no_email': t('Sign in with your e-mail first: a plan belongs to an address.'),
  'account.leaving': t('This account is about to be erased. Keep it first, in the settings, and then choose a plan.'),
  'account.last_admin':
    'You are the only admin here. Name another one in the server’s ADMIN_EMAILS; when they have signed in, you can leave.',
  'billing.unavailable': 'The payment service cannot be reached. Nothing was charged; try again in a few minutes.',
  'billing.not_offered': t('This plan is not offered any more. Choose another one.'),
  'billing.already_subscribed': t('You have a plan already. To change it, press “Manage my plan” on the Plan page.'),
  'billing.trial_used': t('This account has had its free week. Choose a plan to go on.'),
  'device.not_found': t('This device is not on your list any more.'),
  'link.code_invalid': t('This code is wrong or too old. Make a new one on the other device.'),
  'link.already_joined': t('This device already belongs to that account.'),
  'import.not_an_export': t(
    'This file is not an export of Parley. Choose the zip file that “Export everything” wrote. Nothing was changed.',
  ),
  'import.damaged': t(
    'This file is damaged or incomplete. Copy it from the other computer again, or export again. Nothing was changed.',
  ),
  'import.newer_version': t(
    'This export was made by a newer Parley. Update Parley on this computer, then import it. Nothing was changed.',
  ),
  'import.too_large': t('This file holds more than an export can hold, so it was not opened. Nothing was changed.'),
  'import.other_learner': t(
    'This export belongs to another account. Sign in with its e-mail address first. Nothing was changed.',
  ),
  'import.account_changed': t(
    'Another account was opened while the file was being imported. Nothing was changed. Choose the file again.',
  ),
  'import.not_found': t('The file has to be chosen again.'),
  internal: 'Something went wrong inside Parley. Try again; if it happens twice, restart Parley.',
};

export function errorCode(error: unknown): ErrorCode {
  return error instanceof ORPCError && isErrorCode(error.code) ? error.code : 'internal';
}

/** Repeating a request does not find what the server says is missing (404) or gone (410). */
export function isWorthRetrying(error: unknown): boolean {
  const status: number = ERROR_STATUS_BY_CODE[errorCode(error)];
  return status !== 404 && status !== 410;
}

export const sentenceForCode = (code: ErrorCode): string => SENTENCE_BY_CODE[code];

export const errorSentence = (error: unknown): string =>
  budgetExhaustedSentence(error) ?? sentenceForCode(errorCode(error));

/** Returns the sentence for an exhausted budget with its reset time, or null for every other error. */
function budgetExhaustedSentence(error: unknown): string | null {
  if (errorCode(error) !== 'coach.spent' || !(error instanceof ORPCError)) return null;
  const { data } = ErrorData.safeParse(error.data);
  if (data?.resetsAt === undefined) return null;
  const limitReached =
    data.detail === 'learner'
      ? t('You have reached today’s limit for the live coach.')
      : data.detail === 'anonymous'
        ? t('Without an account, the live coach has reached today’s limit. Sign in to go on.')
        : t('This server has reached today’s limit for live coaches.');
  return t('{limitReached} It resets on {resetsAt}. Guided practices still work.', {
    limitReached,
    resetsAt: formatDateTime(data.resetsAt),
  });
}
