export { type Access, type AccessMode, createAccess, isAccessRevoked, readRevokedUserIds } from './access/access.ts';
export { forgetSecondFactor, forgetSecondFactorOf } from './access/forget-second-factor.ts';
export { type DeviceRegistry, createDeviceRegistry, type SignedInDevice } from './devices/device-registry.ts';
export { createWipeOrders, listWipes, type WipeOrders } from './devices/device-wipes.ts';
export {
  insertUser,
  lockLearner,
  newUserRow,
  nextVersion,
  readUser,
  requireLearner,
  SERVER_DEVICE_ID,
  userScope,
  writeUser,
} from './account-rows.ts';
export { type AuditEntry, hasAdminActedSince, recordAudit, recordAudits, shortenForAudit } from './audit-log.ts';
export { type AccountViewReader, createAccountViewReader, type ReadRemainingTime } from './view/account-view.ts';
export { type AdminQueries, createAdminQueries } from './administration/admin-queries.ts';
export { matchesPerson } from './administration/match-person.ts';
export { makeAdmin } from './administration/make-admin.ts';
export {
  createDeletion,
  type Deletion,
  eraseDueAccounts,
  type EraseParts,
  isDeletionRequested,
  readDeletionRequestedUserIds,
} from './deletion/deletion.ts';
export { abandonedAccountIds } from './deletion/abandoned-account.ts';
export { scheduleUnusedAccounts } from './deletion/unused-accounts.ts';
export { eraseRecordings } from './deletion/erase-recordings.ts';
export { listKnownRows } from './known-rows.ts';
export { DEFAULT_TIME_ZONE, readTimeZone } from './devices/time-zone.ts';
export { readLearnerLanguage } from './language/learner-language.ts';
export { exportJson } from './export/export-tables.ts';
export { exportZip } from './export/export-zip.ts';
export type { AccountMail, EnqueueAccountMail } from './account-mail.ts';
export { readCurrentSubscription } from './plan/current-subscription.ts';
export { readStoredSubscriptions } from './plan/stored-subscriptions.ts';
export { createPlanReader, type PlanState } from './plan/plan-reader.ts';
export { createSignIn, type SignIn } from './sign-in/sign-in.ts';
export { createSignInEmails, deleteOldSignInEmails, type SignInEmails, lockAddress } from './sign-in/sign-in-emails.ts';
export { createRequesterIdentifier, type RequesterIdentifier } from './sign-in/requester.ts';
export { createSignOut, type SignOut } from './sign-in/sign-out.ts';
export { isSameHash, keyedHash, generateSecret } from './secrets.ts';
export { selectRemovals } from './administration/removed-admin.ts';
export {
  readLongestWaiting,
  readWaitingLearners,
  readWaitingSince,
  selectNeededDecisions,
} from './access/access-requests.ts';
export {
  createWebSessions,
  deleteOldSessions,
  WEB_SESSION_DAYS,
  type WebSession,
  type WebSessions,
} from './web-session/web-session.ts';
export {
  ADMIN_CONFIRMATION_LIFETIME_MS,
  type Caller,
  type Confirmation,
  createConfirmation,
  CONFIRMATION_LIFETIME_MS,
  readAddressProvedAt,
} from './sign-in/confirmation.ts';
