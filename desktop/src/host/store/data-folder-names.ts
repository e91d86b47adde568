/** What the host and its shells keep in the data folder; what else lies there is not ours. */
export const DATA_FOLDER_NAMES = [
  'parley.sqlite',
  'parley.sqlite-wal',
  'parley.sqlite-shm',
  'instance.lock',
  'instance.lock-journal',
  'device-token.json',
  'device-token.sealed',
  'window.json',
  'server-port',
  'backups',
  'damaged',
  'recordings',
  'exports',
  'open-window',
  'browser',
  'window',
] as const;
