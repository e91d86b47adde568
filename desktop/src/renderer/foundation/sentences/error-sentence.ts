/** Maps each error code to a sentence that says what happened and what to do next. */
import { t } from '@parley/i18n';
import { ORPCError } from '@orpc/client';
import { ERROR_STATUS_BY_CODE, type ErrorCode, type ErrorData, isErrorCode } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { formatDateTime } from './format-date.ts';

const SENTENCE_BY_CODE: Record<ErrorCode, string> = {
  'request.invalid': t('Parley couldn’t read that. Check what you typed, then try again.'),
  'request.too_large': t('That was too long to send. Try it in smaller parts.'),
  'request.too_many': t('Too many tries at once. Wait a minute, then try again.'),
  'auth.required': t(
    'This device isn’t connected to an account. Your work is safe here. Connect the device again in Settings.',
  ),
  'auth.device_revoked': t(
    'This device was removed from your account. Your work is safe here. Connect the device again in Settings.',
  ),
  'auth.forbidden': t('You can’t do that from this device.'),
  'auth.confirmation_required': t('Please confirm that it’s you. We’ll send six digits to your e-mail address.'),
  'auth.second_factor_required': t(
    'Open the admin panel in your browser and confirm there with your authenticator app.',
  ),
  'practice.not_found': t('This practice is no longer in the catalogue. Choose another one in Practise.'),
  'practice.no_dialogue': t('This practice needs a live coach, and none is connected. Choose another one in Practise.'),
  'course.not_found': t('This course is no longer in the catalogue. Choose another one in Courses.'),
  'course.locked': t('This section of the course is locked. Open the course to see why.'),
  'video.not_found': t('This video is no longer in the course. Choose what comes next in Courses.'),
  'session.not_downloaded': t('This session isn’t on this device yet. Connect to the internet to open it.'),
  'session.not_found': t('This session isn’t on this device. Look for it in History.'),
  'session.already_completed': t('This session is finished. Its result is in History.'),
  'session.ended': t('This conversation has ended. Finish it to see your result.'),
  'turn.not_found': t('That recording is no longer here. Record it again.'),
  'turn.not_ready': t('That isn’t possible yet. Wait a moment, or resume the session if it’s paused.'),
  'turn.too_long': t('That turn was too long. What you’ve said so far is kept. Send it, then go on.'),
  'turn.interrupted': t(
    'Your last recording was interrupted, but what you said until then is kept. Send it, or say it again.',
  ),
  'turn.waiting': t('A recorded answer is already waiting. Send it, or say it again.'),
  'audio.gap': t('Part of the recording was lost. Record this turn again.'),
  'audio.invalid': t('The recording was empty. Check your microphone, then record again.'),
  'recording.not_found': t('This recording isn’t on this device. It stays on the device where you made it.'),
  'recording.file_missing': t('The file of this recording is missing. Your scores are still here.'),
  'recordings.off': t('Your school’s server doesn’t keep your recordings. You can change that in Settings.'),
  'recordings.full': t(
    'The space for your recordings on your school’s server is full. They’re still safe on this computer.',
  ),
  'speech_pack.not_found': t(
    'There’s no speech pack at this address. Check the address, or ask the person who gave it to you.',
  ),
  'word.no_pronunciation': t(
    'Parley doesn’t know how to pronounce this. Check the spelling, or add another English word.',
  ),
  'text.no_pronunciation': t(
    'There’s nothing here that Parley can score. Write what you want to say in English, with spaces between the words.',
  ),
  'voice.failed': t('The voice isn’t working right now. The text is on the screen.'),
  'scoring.failed': t('Parley couldn’t work out the scores. Your recording is safe. Try again in a moment.'),
  'storage.full': t('Your disk is full. Nothing you saved is lost. Free some space, then try again.'),
  'storage.damaged': t('The local database is damaged. Restart Parley to restore the last daily backup.'),
  'storage.unavailable': t('The server can’t use its storage for files. Tell the person who runs it.'),
  'server.address_invalid': t('This isn’t a server address. A server address looks like https://parley.example.'),
  'server.not_secure': t(
    'Others could read what you send to an http address. Use one that begins with https. Only a server on this computer can use http.',
  ),
  'server.unreachable': t(
    'There’s no response from this address. Check the spelling, and check that you’re online. Nothing was changed.',
  ),
  'server.not_trusted': t(
    'This server can’t prove that it’s the one you named: its certificate isn’t valid. Ask the people who run it. Nothing was changed.',
  ),
  'server.not_parley': t('There’s a server at this address, but it isn’t a Parley server. Nothing was changed.'),
  'server.redirects': t(
    'This address only leads to another one. Ask the people who run the server for its exact address. Nothing was changed.',
  ),
  'server.fixed': t('Parley was started with this server, so it can’t be changed here.'),
  'sync.offline': t(
    'Parley can’t reach the server. Everything on this computer is safe. Try again when you’re online.',
  ),
  'sync.gap': t('The server missed some changes. Parley is sending them again.'),
  'sync.protocol_too_old': t(
    'This version of Parley is too old to sync. Update Parley. Until then, everything works on this computer.',
  ),
  'server.not_downloaded': t(
    'Some of your sessions are only on the server you use now, and this device can’t download them. Try again later, or continue without them.',
  ),
  'server.answer_changed': t(
    'The server’s answer has changed since you confirmed, so nothing was changed. Read again what will happen, then decide.',
  ),
  'sync.protocol_too_new': t(
    'The server is older than this version of Parley. Until it’s updated, everything works on this computer.',
  ),
  'sync.resync': t(
    'This device hasn’t synced for a long time. Parley will fetch everything again and keep what you haven’t sent.',
  ),
  'coach.unavailable': t(
    'Parley can’t reach your coach. Everything you said is kept. Try again in a moment, or resume later.',
  ),
  'coach.busy': t('Your coach is busy right now. Everything you said is kept. Try again in a minute.'),
  'coach.misconfigured': t(
    'The AI service refuses the server’s key or address, or its credit ran out. Ask the person who runs the server. Guided practices still work.',
  ),
  'coach.declined': t('Your coach couldn’t answer that. Say it another way.'),
  'coach.spent': t('The live coach has reached its limit for today and is back tomorrow. Guided practices still work.'),
  'speech.unavailable': t(
    'Parley couldn’t make out the words. Your recording is safe. Type what you said, or try again.',
  ),
  'quota.out': t(
    'Your live minutes are used up. What you said is kept: finish to see your result. Guided practices are always free.',
  ),
  'live.elsewhere': t('You’re in a live conversation on another device. End it there, or move it here.'),
  'live.other_window': t('This conversation is open in another window. Continue there, or move it here.'),
  'sign_in.code_wrong': t(
    'This code is wrong, was already used, or is older than 15 minutes. Check it, or ask for a new one.',
  ),
  'sign_in.codes_paused': t('Codes are switched off for a while. Open the link in the newest e-mail on this computer.'),
  'sign_in.link_spent': t('This link was already used, or it has expired. Ask for a new one.'),
  'access.required': t(
    'Live coaches are only for approved learners here. Everything you’ve recorded is kept, and guided practices work.',
  ),
  'access.taken': t(
    'Your school has ended your access to live coaches. Settings says why. Everything you’ve recorded is still here, and guided practices work.',
  ),
  'access.unconfirmed': t(
    'Parley hasn’t reached the server for three days, so it can’t check your access. Connect to the internet. Guided practices still work.',
  ),
  'account.no_email': t('Sign in with your e-mail first: a plan belongs to an address.'),
  'account.leaving': t('This account is about to be deleted. Keep it in Settings first, then choose or change a plan.'),
  'account.last_admin': t(
    'You’re the only admin of this server. Add another address to its ADMIN_EMAILS. Once that admin has signed in, you can delete your account.',
  ),
  'billing.unavailable': t('We can’t reach the payment service. You haven’t been charged. Try again in a few minutes.'),
  'billing.not_offered': t('This plan is no longer offered. Choose another one.'),
  'billing.already_subscribed': t('You already have a plan. To change it, choose “Manage my plan” on the Plan page.'),
  'billing.other_currency': t(
    'During the free week, you can’t choose a price in this currency. Choose one in another currency, or wait until the week has ended.',
  ),
  'billing.trial_used': t('This account has had its free week. Choose a plan to continue.'),
  'device.not_found': t('This device isn’t on your list any more.'),
  'link.code_invalid': t('This code is wrong or has expired. Make a new one on the other device.'),
  'link.already_joined': t('This device already belongs to that account.'),
  'import.not_an_export': t(
    'This file isn’t a Parley export. Choose the zip file that “Export everything” made. Nothing was changed.',
  ),
  'import.damaged': t(
    'This file is damaged or incomplete. Copy it from the other computer again, or export again. Nothing was changed.',
  ),
  'import.newer_version': t(
    'This export was made by a newer version of Parley. Update Parley on this computer, then import it. Nothing was changed.',
  ),
  'import.too_large': t('This file is larger than an export can be, so Parley didn’t open it. Nothing was changed.'),
  'import.other_learner': t(
    'This export belongs to another account. Sign in with its e-mail address first. Nothing was changed.',
  ),
  'import.account_changed': t(
    'Another account was opened while the file was being imported. Nothing was changed. Choose the file again.',
  ),
  'import.not_found': t('Choose the file again.'),
  internal: t('Something went wrong in Parley. Try again. If it happens again, restart Parley.'),
};

export function errorCode(error: unknown): ErrorCode {
  return error instanceof ORPCError && isErrorCode(error.code) ? error.code : 'internal';
}

/** Repeating a request does not bring back what is missing (404) or gone (410). */
export function isWorthRetrying(error: unknown): boolean {
  const status: number = ERROR_STATUS_BY_CODE[errorCode(error)];
  return status !== 404 && status !== 410;
}

export const sentenceForCode = (code: ErrorCode): string => SENTENCE_BY_CODE[code];

export const errorSentence = (error: unknown): string =>
  budgetExhaustedSentence(error) ?? resyncingSentence(error) ?? sentenceForCode(errorCode(error));

/** A session that is not here arrives by itself while everything is being downloaded again. */
function resyncingSentence(error: unknown): string | null {
  if (errorCode(error) !== 'session.not_downloaded' || !(error instanceof ORPCError)) return null;
  const data: ErrorData | undefined = error.data;
  return data?.detail === 'resyncing'
    ? t('This session isn’t on this device yet. Parley is downloading everything again. Try again in a few minutes.')
    : null;
}

/** Returns the sentence for an exhausted budget with its reset time, or null for every other error. */
function budgetExhaustedSentence(error: unknown): string | null {
  if (errorCode(error) !== 'coach.spent' || !(error instanceof ORPCError)) return null;
  // The host has parsed the server's error, so the error's data has the form of the contract.
  const data: ErrorData | undefined = error.data;
  if (data?.resetsAt === undefined) return null;
  const limitReached =
    data.detail === 'learner'
      ? t('You’ve reached today’s limit for the live coach.')
      : data.detail === 'anonymous'
        ? t('Without an account, the live coach has reached today’s limit. Sign in to go on.')
        : t('This server has reached today’s limit for live coaches.');
  return joinSentences(t, [
    limitReached,
    t('It resets on {resetsAt}. Guided practices still work.', { resetsAt: formatDateTime(data.resetsAt) }),
  ]);
}
