/** The sync state of this device. */
import { z } from 'zod';

export const SYNC_STATES = [
  'idle',
  'pushing',
  'pulling',
  'offline',
  'backing_off',
  /** This app is too old for the server. */
  'outdated',
  /** The server is too old for this app and has to be updated. */
  'ahead',
  'signed_out',
  /**
   * The learner has signed in, but their work could not be moved to the account yet. It is unchanged, and is not sent.
   */
  'not_moved',
  /** No server is configured, so all data stays on this device. */
  'no_server',
] as const;

/** Why the server cannot be used although something answers at its address. */
export const CONNECTION_OBSTACLES = [
  'certificate_expired',
  'certificate_not_yet_valid',
  /** The certificate is for another host name. */
  'certificate_other_name',
  'certificate_not_trusted',
  /** A network or a proxy answers with a page of its own. */
  'network_page',
] as const;
export type ConnectionObstacle = (typeof CONNECTION_OBSTACLES)[number];

export const SyncStatus = z.object({
  state: z.enum(SYNC_STATES),
  /** Changes on this device that the server has not received. */
  waiting: z.number().int().min(0),
  rejected: z.number().int().min(0),
  /** Rows from a newer version of the app that this version cannot read; they are kept until it is updated. */
  unread: z.number().int().min(0),
  lastSyncedAt: z.date().nullable(),
  /** The address of another server to which this device's server redirects, because it has moved, or null. */
  leadsTo: z.string().nullable(),
  /** Null while requests reach the server, or while nothing answers. */
  obstacle: z.enum(CONNECTION_OBSTACLES).nullable(),
  /** True in the state `not_moved` if only the server could not be reached. */
  isMoveOffline: z.boolean(),
});
export type SyncStatus = z.infer<typeof SyncStatus>;
