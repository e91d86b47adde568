/** The location of a copy's audio in the file storage. */

/** Spreads the files over folders, because some file systems are slow with many files in one folder. */
export const fileKey = (fileId: string): string => `${RECORDINGS_PREFIX}${fileId.slice(0, 2)}/${fileId}`;

export const RECORDINGS_PREFIX = 'recordings/';

/** Null for a file that is not ours. */
export const fileIdOf = (key: string): string | null =>
  /^recordings\/[0-9a-f]{2}\/([0-9a-f-]{36})$/.exec(key)?.[1] ?? null;
