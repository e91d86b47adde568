export { type Access, type AccessMode, createAccess, isAccessTaken, readAccessTaken } from './access.ts';
export { type Accounts, createAccounts, type SignedInDevice } from './account.ts';
export { lockLearner, nextVersion, readUser, SERVER_ID, userScope, writeUser } from './account-rows.ts';
export { audit } from './audit.ts';
export { type AccountViews, createAccountViews, type ReadLeft } from './account-view.ts';
export { type Administration, createAdministration } from './administration.ts';
export {
  createDeletion,
  type Deletion,
  ERASE_EVERY_MS,
  eraseDue,
  type EraseParts,
  isLeaving,
  readLeaving,
} from './deletion.ts';
export { exportJson } from './export.ts';
export { exportZip } from './export-zip.ts';
export type { AccountMail, EnqueueMail } from './mail-port.ts';
export { planReader, type PlanState } from './plan.ts';
export { createSignIn, type SignIn } from './sign-in.ts';
export { createSignInMessages, forgetOldMessages, type SignInMessages } from './sign-in-messages.ts';
export { createRequesters, type Requesters } from './sign-in-requester.ts';
export { createSignOut, type SignOut } from './sign-out.ts';
export { isSameHash, keyedHash, newSecret } from './tokens.ts';
export { readWaiting } from './waiting.ts';
export {
  createWebSessions,
  forgetOldSessions,
  WEB_SESSION_DAYS,
  type WebSession,
  type WebSessions,
} from './web-session.ts';
export { ADMIN_FOR_MS, type Caller, type Confirmation, createConfirmation, FRESH_FOR_MS } from './confirmation.ts';
