/** Lists everything that the host and its shells store in the data folder; other files there are left alone. */

/** Files that belong to the accounts that were used here. Credentials come first, so that nothing is sent once they are gone. */
export const ACCOUNT_FILES = [
  'device-token.sealed',
  'device-token.sealed.new',
  'device-token.json',
  'device-token.json.new',
  'parley.sqlite',
  'parley.sqlite-wal',
  'parley.sqlite-shm',
  'parley.sqlite.new',
  'restoring.json',
  'restoring.json.new',
  'restored.json',
  'restored.json.new',
  'backups',
  'damaged',
  'recordings',
  'videos',
  'exports',
  'imports',
] as const;

/** Files that belong to the installation. */
const INSTALLATION_FILES = [
  'instance.lock',
  'instance.lock-journal',
  'wiping.json',
  'wiping.json.new',
  'wiped.json',
  'wiped.json.new',
  'window.json',
  'server.json',
  'profiles.json',
  'profiles',
  'server-port',
  'logs',
  'open-window',
  'browser',
  'window',
] as const;

export const DATA_FOLDER_FILES: readonly string[] = [...ACCOUNT_FILES, ...INSTALLATION_FILES];
