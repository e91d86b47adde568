/**
 * Every expected failure that crosses a boundary, with its code and its HTTP status. Screens load this file, so it
 * contains no schemas.
 */

export const ERROR_STATUS_BY_CODE = {
  'request.invalid': 400,
  'request.too_large': 413,
  'request.too_many': 429,
  'auth.required': 401,
  'auth.device_revoked': 401,
  'auth.forbidden': 403,
  'auth.confirmation_required': 403,
  /** `detail` is `enter`, or `set_up` when the admin has no authenticator app yet. */
  'auth.second_factor_required': 403,
  'practice.not_found': 404,
  'practice.no_dialogue': 409,
  'course.not_found': 404,
  /** `detail` is the reason why the section is locked. */
  'course.locked': 402,
  'video.not_found': 404,
  'session.not_found': 404,
  /** The first sync has left out its turns, and they cannot be fetched now. */
  'session.not_downloaded': 503,
  'session.already_completed': 409,
  'session.ended': 409,
  'turn.not_found': 404,
  'turn.not_ready': 409,
  'turn.too_long': 413,
  'turn.interrupted': 409,
  'turn.waiting': 409,
  'audio.gap': 409,
  'audio.invalid': 400,
  'recording.not_found': 404,
  'recording.file_missing': 404,
  /** The learner has not agreed to keep copies of recordings on the server, or no longer does. */
  'recordings.off': 409,
  /** The plan's space for copies of recordings is used up. */
  'recordings.full': 402,
  /** There is no speech pack at the address, or none that this version can read. */
  'speech_pack.not_found': 404,
  /** The word has no English pronunciation, so it can be neither said nor scored. */
  'word.no_pronunciation': 422,
  /** No word of the text has an English pronunciation, so none of it could be scored. */
  'text.no_pronunciation': 422,
  'voice.failed': 500,
  'scoring.failed': 500,
  'storage.full': 507,
  'storage.damaged': 500,
  /** The server cannot reach or use the bucket that holds its files. */
  'storage.unavailable': 503,
  'server.address_invalid': 400,
  'server.not_secure': 400,
  'server.unreachable': 503,
  'server.not_trusted': 502,
  'server.not_parley': 422,
  /** The address only leads to another one. */
  'server.redirects': 422,
  'server.fixed': 409,
  /** The server's answer differs from the one that the learner agreed to. */
  'server.answer_changed': 409,
  /** Some of the learner's work is only on the open server, which cannot be reached. */
  'server.not_downloaded': 503,
  'sync.offline': 503,
  'sync.gap': 409,
  'sync.protocol_too_old': 426,
  'sync.protocol_too_new': 426,
  'sync.resync': 410,
  'coach.unavailable': 503,
  'coach.busy': 503,
  'coach.misconfigured': 502,
  'coach.declined': 422,
  'coach.spent': 503,
  'speech.unavailable': 503,
  'quota.out': 402,
  'live.elsewhere': 409,
  'live.other_window': 409,
  'sign_in.code_wrong': 401,
  'sign_in.codes_paused': 503,
  'sign_in.link_spent': 410,
  'access.required': 403,
  'access.taken': 403,
  'access.unconfirmed': 403,
  'account.no_email': 409,
  'account.leaving': 409,
  'account.last_admin': 409,
  'billing.unavailable': 503,
  'billing.not_offered': 404,
  'billing.already_subscribed': 409,
  'billing.trial_used': 409,
  'billing.other_currency': 409,
  'device.not_found': 404,
  'link.code_invalid': 404,
  'link.already_joined': 409,
  'import.not_an_export': 422,
  'import.damaged': 422,
  'import.newer_version': 422,
  'import.too_large': 413,
  /** `detail` is the e-mail address of the learner to whom the export belongs. */
  'import.other_learner': 409,
  'import.account_changed': 409,
  'import.not_found': 404,
  internal: 500,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS_BY_CODE;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_STATUS_BY_CODE, code);
