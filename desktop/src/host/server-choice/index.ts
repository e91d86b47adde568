/** The choice of the server that this device uses. */
export { parseServerAddress } from './server-address.ts';
export { createServerChoices, isSameServer, type ProfileSwitch, type ServerChoices } from './server-choice.ts';
export {
  NO_SERVER,
  readServerChoice,
  readStoredChoice,
  type StoredChoice,
  writeServerChoice,
} from './stored-choice.ts';
