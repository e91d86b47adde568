/** The port for storing files that are too large for the database: a folder, or a bucket of an S3-compatible service. */
import type { Readable } from 'node:stream';

export interface StoredFile {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** The first and the last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface FileStorage {
  readonly name: string;
  /**
   * Replaces the file atomically: a reader sees the former file or the complete new one. Rejects when the body does not
   * have exactly `bytes` bytes. The body is read to its end, or destroyed.
   */
  put: (key: string, body: Readable, file: { bytes: number; mediaType: string }) => Promise<void>;
  /**
   * As `put`, from a file on this machine, which stays where it is and takes no more space. Returns false, and changes
   * nothing, when that is impossible. A storage that is not on this machine does not have this method.
   */
  link?: (key: string, path: string, file: { bytes: number }) => Promise<boolean>;
  /** Null when there is no such file. */
  get: (key: string, range?: ByteRange) => Promise<Readable | null>;
  stat: (key: string) => Promise<StoredFile | null>;
  /** Succeeds when there is no such file. */
  delete: (key: string) => Promise<void>;
  /** All files whose key begins with the prefix, in key order. */
  list: (prefix: string) => AsyncIterable<StoredFile>;
}

const KEY = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9]+)?(\/[a-z0-9][a-z0-9_-]*(\.[a-z0-9]+)?)*$/;
const MAX_KEY_LENGTH = 200;

/** Throws for a key that could escape the storage, or that some storage does not support. */
export function assertStorageKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new Error('invalid storage key');
}
