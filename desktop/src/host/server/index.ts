/** The HTTP client of the sync server with its tokens and retries, shared by every feature that talks to the server. */
export { backoffMs, maxDelayMs } from './backoff.ts';
export {
  connectToServer,
  type RequestContext,
  type ServerClient,
  type ServerConnection,
  toFailure,
  toResponseFailure,
} from './server-client.ts';
export { certificateObstacle } from './connection-obstacle.ts';
export { IdleTimeout } from './idle-timeout.ts';
export { limitAnswer } from './limit-answer.ts';
export { ConnectionLost } from './read-ndjson.ts';
export { OtherRecordingError } from './recordings-client.ts';
export {
  clearCredentials,
  createFileVault,
  type FileVault,
  readCredentials,
  readToken,
  type StoredCredentials,
  type TokenVault,
  writeCredentials,
} from './token-vault.ts';
