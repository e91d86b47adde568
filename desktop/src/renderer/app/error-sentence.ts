/** What to tell a learner about a failure: what happened, and what to do next. Every code has its words. */
import { ORPCError } from '@orpc/client';
import { ERROR_STATUS_BY_CODE, type ErrorCode, ErrorData, isErrorCode } from '@parley/contract';
import { whenOf } from './when.ts';

const SENTENCES: Record<ErrorCode, string> = {
  'request.invalid': 'Parley could not understand that. Check what you typed and try again.',
  'request.too_large': 'That was too long to send. Try it in smaller parts.',
  'request.too_many': 'That was a lot at once. Wait a minute and try again.',
  'auth.required':
    'This device is not connected to an account. Your work stays safe here; connect it again in Settings.',
  'auth.device_revoked':
    'This device was removed from the account. Your work stays safe here; connect it again in Settings.',
  'auth.forbidden': 'You may not do that from this device.',
  'auth.confirmation_required': 'Please confirm that it is you. We send six digits to your e-mail address.',
  'practice.not_found': 'This practice is no longer in the catalogue. Choose another one in Practise.',
  'practice.no_dialogue': 'This practice needs a cloud coach, and none is connected. Choose another one in Practise.',
  'session.not_found': 'This session is not on this device. Look for it in History.',
  'session.already_completed': 'This session is finished. Its result is in History.',
  'session.ended': 'This conversation has ended. Finish it to see your result.',
  'turn.not_found': 'That turn is no longer waiting. Record it again.',
  'turn.not_ready': 'It is not your turn yet. Resume the session, or wait for the coach.',
  'turn.too_long': 'That turn was too long. What you said until now is kept; send it, then go on.',
  'turn.interrupted':
    'Your last recording was interrupted, but what you said until then is kept: send it or say it again.',
  'audio.gap': 'A part of the sound got lost on its way. Record this turn again.',
  'audio.invalid': 'The sound could not be read. Check the microphone and record again.',
  'recording.not_found': 'This recording is not on this device. It stays on the device where you made it.',
  'recording.file_missing': 'The file of this recording is missing. Your scores are still here.',
  'voice.failed': 'The voice could not speak. The text is on the screen.',
  'scoring.failed': 'The scores could not be made this time. Your words are kept; try again in a moment.',
  'storage.full': 'This disk is full. Free some space and try again; nothing you saved is lost.',
  'storage.damaged': 'The local database is damaged. Restart Parley to restore the last daily backup.',
  'server.address_invalid': 'This is not the address of a server. It looks like https://parley.example.',
  'server.not_secure':
    'Others could read what you send to an http address. Use one that begins with https; http is only for a server on this computer.',
  'server.unreachable':
    'Nothing answers at this address. Check it for typing mistakes, and check that you are online. Nothing was changed.',
  'server.not_trusted':
    'This server cannot prove that it is the one you named: its certificate is not valid. Ask the people who run it. Nothing was changed.',
  'server.not_parley': 'There is a server at this address, but it is not a Parley server. Nothing was changed.',
  'server.fixed': 'Parley was started with this server, so it cannot be changed here.',
  'sync.offline': 'The server cannot be reached. What is on this computer is kept; try again when you are online.',
  'sync.gap': 'The server missed some changes. Parley sends them again by itself.',
  'sync.protocol_too_old':
    'This version of Parley is too old to sync. Update it; until then everything works on this computer.',
  'sync.protocol_too_new':
    'The server is older than this Parley. Everything works on this computer until it is updated.',
  'sync.resync': 'This copy is very old. Parley fetches a new one and keeps what you have not sent.',
  'coach.unavailable':
    'The coach cannot be reached. Everything you said is kept; try again in a moment, or resume later.',
  'coach.busy': 'The coach has a lot to do. Everything you said is kept; try again in a minute.',
  'coach.misconfigured':
    'The server cannot use its coach: its key or address is refused. Tell whoever runs it; guided practices work.',
  'coach.declined': 'The coach would not answer that. Say it another way.',
  'coach.spent':
    'The live coach has reached its limit for today. Guided practices still work; live coaches are back tomorrow.',
  'speech.unavailable':
    'Your words could not be written down. The recording is kept; type what you said, or try again.',
  'quota.out':
    'Your live minutes are used up. What you said is kept: finish to see your result. Guided practices are always free.',
  'live.elsewhere': 'You are in a live conversation on another device. End it there, or move it here.',
  'live.other_window': 'This conversation is open in another window. Go on there, or take it over here.',
  'sign_in.code_wrong':
    'This code is wrong, was used, or is older than fifteen minutes. Check it, or ask for a new message.',
  'sign_in.codes_paused': 'Codes are switched off for a while. Open the link in the newest message on this computer.',
  'sign_in.link_spent': 'This link was used before, or is too old. Ask for a new message.',
  'access.required':
    'Only learners who were let in can talk with a live coach here. What you did is kept, and guided practices work.',
  'access.taken':
    'Your access to this server was taken away. Settings says why. What you did is kept, and guided practices work.',
  'access.unconfirmed':
    'The server was not reached for three days, so your access is not sure. Go online once. Guided practices work without.',
  'account.no_email': 'Sign in with your e-mail first: a plan belongs to an address.',
  'account.leaving': 'This account is about to be erased. Keep it first, in the settings, and then choose a plan.',
  'account.last_admin':
    'You are the only admin here. Name another one in the server’s ADMIN_EMAILS; when they have signed in, you can leave.',
  'billing.unavailable': 'The payment service cannot be reached. Nothing was charged; try again in a few minutes.',
  'billing.not_offered': 'This plan is not offered any more. Choose another one.',
  'billing.already_subscribed': 'You have a plan already. To change it, press “Manage my plan” on the Plan page.',
  'billing.trial_used': 'This account has had its free week. Choose a plan to go on.',
  'device.not_found': 'This device is not on your list any more.',
  'link.code_invalid': 'This code is wrong or too old. Make a new one on the other device.',
  'link.already_joined': 'This device already belongs to that account.',
  internal: 'Something went wrong inside Parley. Try again; if it happens twice, restart Parley.',
};

export function errorCode(error: unknown): ErrorCode {
  return error instanceof ORPCError && isErrorCode(error.code) ? error.code : 'internal';
}

/** What is not there, or not any more, is not found by asking again. */
export function mayWorkLater(error: unknown): boolean {
  const status: number = ERROR_STATUS_BY_CODE[errorCode(error)];
  return status !== 404 && status !== 410;
}

export const sentenceOf = (code: ErrorCode): string => SENTENCES[code];

export const errorSentence = (error: unknown): string => spentSentence(error) ?? sentenceOf(errorCode(error));

/** Whose limit was reached, and when it begins anew; null for every other error. */
function spentSentence(error: unknown): string | null {
  if (errorCode(error) !== 'coach.spent' || !(error instanceof ORPCError)) return null;
  const { data } = ErrorData.safeParse(error.data);
  if (data?.resetsAt === undefined) return null;
  const whose =
    data.detail === 'learner'
      ? 'You have reached today’s limit for the live coach.'
      : data.detail === 'anonymous'
        ? 'Without an account, the live coach has reached today’s limit. Sign in to go on.'
        : 'This server has reached today’s limit for live coaches.';
  return `${whose} It resets on ${whenOf(data.resetsAt)}. Guided practices still work.`;
}
