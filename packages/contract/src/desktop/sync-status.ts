/** Where this device stands with its server. */
import { z } from 'zod';

export const SYNC_STATES = [
  'idle',
  'pushing',
  'pulling',
  'offline',
  'backing_off',
  /** This app is too old for the server. */
  'outdated',
  /** The server is too old for this app, and will be updated. */
  'ahead',
  'signed_out',
  /** This device keeps everything to itself. */
  'no_server',
] as const;

export const SyncStatus = z.object({
  state: z.enum(SYNC_STATES),
  /** Changes on this device that the server does not hold yet. */
  waiting: z.number().int().min(0),
  rejected: z.number().int().min(0),
  /** Items from a newer version of the app that this one cannot show: they are kept until it is updated. */
  unread: z.number().int().min(0),
  lastSyncedAt: z.date().nullable(),
});
export type SyncStatus = z.infer<typeof SyncStatus>;
