/** The inputs and the results of a push. */
import type { PushResponse } from '@parley/contract';
import type { Database } from '../../db/client.ts';
import type { RestoreMarker } from '../../db/restore-marker.ts';
import type { PushedRows } from '../pokes/poke-hub.ts';
import type { StorageQuotas } from '../storage-quota/storage-quota.ts';
import type { ApplyParts } from './apply-mutations.ts';

export interface PushParts extends ApplyParts {
  db: Database;
  now: () => Date;
  /** Called after the transaction, when other devices can see what it wrote. */
  onChanged: (userId: string, version: number, pushed?: PushedRows) => void;
  /** Whether another device of the learner listens and wants the rows of a push. */
  wantsRows: (pushing: { userId: string; deviceId: string }) => boolean;
  onEpochChanged: (change: { userId: string; reason: string }) => void;
  /** Null when the database itself reveals a restore. */
  marker: RestoreMarker | null;
  /** Whether the database keeps statistics of its tables up to date, so that plans of statements can be kept. */
  plansOnce: boolean;
  /** See `schemaVersion`. */
  schema: string;
  quotas?: StorageQuotas | undefined;
}

export interface PushResult {
  answer: PushResponse;
  /** The number of pushes applied so far, or null when they are not counted. */
  commits: { commits: number; epoch: string } | null;
  /** The rows that other devices get with their poke; undefined if no device should get rows. */
  pushed: PushedRows | undefined;
}
