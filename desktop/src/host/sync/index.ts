export { createSync, type Sync } from './sync-loop.ts';
export type { NewDevice } from './register-device.ts';
export { adoptAccount } from './adopt-account.ts';
export { createFileVault, type FileVault, readCredentials, type TokenVault } from './token-vault.ts';
export {
  type CallContext,
  connectToServer,
  failureOf,
  failureOfAnswer,
  type ServerConnection,
} from './server-client.ts';
