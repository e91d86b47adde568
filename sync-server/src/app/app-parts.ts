/** What a server is put together from: where its data lies, whom it can ask, and how much it takes. */
import type { CoachBudgets } from '@parley/domain';
import type { EnqueueMail } from '../account/index.ts';
import type { AiServices, RealtimeService } from '../coach/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import type { MailParts } from '../mail/index.ts';
import type { Payments } from '../payments/index.ts';
import type { StorageQuotas } from '../sync/index.ts';
import type { LimitsAMinute } from './account-limits.ts';
import type { AccountSettings } from './create-account-features.ts';
import type { LocalModelParts } from './local-models.ts';
import type { WebServerParts } from './open-web-server.ts';

export interface AppParts extends WebServerParts {
  database: DatabaseConnection;
  /** Of the server's program: devices send again what an earlier version failed on. */
  version?: string;
  now?: () => Date;
  /** Requests a minute and address on the calls that hand out or take secrets. */
  accountCallsAMinute?: number;
  /** What one account may ask in a minute, over all its devices. */
  limits?: LimitsAMinute;
  /** What an account of each plan may store. */
  storageQuotas?: StorageQuotas;
  /** How long a line of a stream may wait for its reader. */
  lineWithinMs?: number;
  /** None, when nothing is said: every device then has its guided coach and its own scorer. */
  ai?: AiParts;
  /** Null, or nothing said: this server writes no e-mails. */
  mail?: MailAppParts | null;
  account?: Partial<AccountSettings>;
  /** Null, or nothing said: nothing is sold here. */
  payments?: Payments | null;
  /** Instead of e-mails, what is to be written to learners: for tests. */
  enqueueMail?: EnqueueMail;
}

/** Who carries e-mails, and what links in them need; the rest is the server's own. */
export type MailAppParts = Pick<
  MailParts,
  'transport' | 'origin' | 'secret' | 'fallbackTimeZone' | 'makeAccessLink' | 'chance'
> & {
  /** What whoever hands on what came back proves itself with; null, or nothing said: nobody does. */
  bouncesKey?: string | null;
  /** Whether they are sent by themselves as long as the server listens. */
  isScheduled?: boolean;
};

export interface AiParts {
  services: AiServices;
  /** Who can listen and speak at once; null: nobody, and there is no such address. */
  realtime?: RealtimeService | null;
  /** Models of this machine, for learners on this machine; null, or nothing said: none. */
  local?: LocalModelParts | null;
  dailyLimitUsd: number | null;
  /** What one learner may cost a day with what takes no live minutes; the domain's when nothing is said. */
  learnerBudgetsUsd?: CoachBudgets;
  /** Whether plans limit live conversation. */
  countsMinutes: boolean;
}
