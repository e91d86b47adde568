export { createSync, type Sync } from './sync-loop.ts';
export { createReconnectingSync, type ReconnectingSync } from './reconnecting-sync.ts';
export { leaveServer } from './leave-server.ts';
export type { NewDevice } from './register-device.ts';
export { adoptAccount } from './adopt-account.ts';
export { createFileVault, type FileVault, forgetCredentials, readCredentials, type TokenVault } from './token-vault.ts';
export {
  type CallContext,
  connectToServer,
  failureOf,
  failureOfAnswer,
  type ServerConnection,
} from './server-client.ts';
