/** Options for building a server: its database, external services and limits. */
import type { CoachBudgets } from '@parley/domain';
import type { EnqueueAccountMail } from '../account/index.ts';
import type { AiServices, RealtimeService } from '../coach/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import type { MailParts } from '../mail/index.ts';
import type { MediaLimits, ReadFreeBytes } from '../media/index.ts';
import type { Payments } from '../ports/payments/index.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import type { StorageQuotas } from '../sync/index.ts';
import type { LimitsPerMinute } from '../http/limits/account-limits.ts';
import type { AccountSettings } from './create-account-features.ts';
import type { LocalModelAdapters } from '../http/routes/coaching-selector.ts';
import type { HttpServerOptions } from '../http/server/create-http-server.ts';
import type { MinimumPace } from '../http/streams/close-when-slow.ts';

export interface AppOptions extends HttpServerOptions {
  database: DatabaseConnection;
  /** The server's program version. Devices retry changes that an earlier version failed to apply. */
  version?: string;
  now?: () => Date;
  /** Requests per minute and address on routes that issue or accept secrets. */
  strictRequestsPerMinute?: number;
  /** The limit of requests per minute for one account, across all its devices. */
  accountLimits?: LimitsPerMinute;
  /** Storage quota per plan. */
  storageQuotas?: StorageQuotas;
  /** The space for copies of recordings, per plan. */
  recordingQuotas?: StorageQuotas;
  /** How long a line of a sync stream may wait for its reader. */
  streamLineTimeoutMs?: number;
  /** How many sync streams may be open at the same time. */
  maxSyncStreams?: number;
  /** The minimum speed at which an export must be read; a slower one is aborted. */
  minimumExportPace?: MinimumPace;
  /** When absent, devices use the guided coach and the on-device scorer. */
  ai?: AiOptions;
  /** When null or absent, this server sends no e-mail. */
  mail?: MailOptions | null;
  account?: Partial<AccountSettings>;
  /** When null or absent, this server sells no plans. */
  payments?: Payments | null;
  /** Whether this node takes part in the periodic jobs while it listens, and draws the covers of the newest posts. */
  runsJobs?: boolean;
  /** Where the built admin panel is; by default where `npm run build` puts it. */
  adminPanelDir?: string;
  site?: SiteOptions;
  /** When absent, media are kept in a temporary folder until the server closes. */
  media?: MediaOptions;
  /** Where Prometheus reads the server's metrics. When absent, nothing is measured. */
  metrics?: { host: string; port: number };
  /** Aborted when the node is about to close: it is no longer ready, but still answers. */
  draining?: AbortSignal;
  /** Tests use this to capture e-mails instead of sending them. */
  enqueueMail?: EnqueueAccountMail;
}

/** Where media are kept, and how many. */
export interface MediaOptions {
  storage: FileStorage;
  /** A folder on this machine for uploads in progress. */
  uploadsDir: string;
  limits: MediaLimits;
  readFreeBytes?: ReadFreeBytes;
}

/** The operator's additions to the public site. */
export interface SiteOptions {
  textsDir: string | null;
  downloadsDir: string | null;
  /** Shown as the contact when the school names none. */
  operatorEmail: string;
}

/** The mail transport and what links in e-mails need; the server supplies the rest. */
export type MailOptions = Pick<
  MailParts,
  'transport' | 'origin' | 'secret' | 'fallbackTimeZone' | 'makeAccessLink' | 'chance'
> & {
  /** The key that the bounce forwarder sends. When null or absent, the bounce route does not exist. */
  bounceKey?: string | null;
  /** Whether due e-mails are sent automatically while the server listens. */
  isScheduled?: boolean;
};

export interface AiOptions {
  services: AiServices;
  /** The realtime voice service. When null, the realtime route does not exist. */
  realtime?: RealtimeService | null;
  /** Language models on this machine, offered only to learners on this machine. */
  local?: LocalModelAdapters | null;
  dailyLimitUsd: number | null;
  /** Daily budgets per learner for usage that takes no live minutes; the domain's defaults apply when absent. */
  learnerBudgetsUsd?: CoachBudgets;
  /** Whether plans limit minutes with a model coach. */
  isMetered: boolean;
}
