/** Puts the features together: who needs which of the others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createAccounts, planReader } from '../account/index.ts';
import { createBilling, createRecount } from '../billing/index.ts';
import { createCoaching, createLiveCoaching, createMemory } from '../coach/index.ts';
import type { Database } from '../db/client.ts';
import { createMail } from '../mail/index.ts';
import { createLeases, createLedger } from '../metering/index.ts';
import type { Announcer } from '../sync/index.ts';
import { ACCOUNT_LIMITS, createAccountLimits } from './account-limits.ts';
import type { AiParts, AppParts } from './app-parts.ts';
import type { CallLimits } from './call-limits.ts';
import { ACCOUNT_DEFAULTS, createAccountFeatures } from './create-account-features.ts';
import { createLocalCoaching } from './local-models.ts';
import { admission } from './router.ts';

const NO_AI: AiParts = {
  services: { coach: null, transcriber: null, assessor: null, voice: null },
  dailyLimitUsd: null,
  countsMinutes: false,
};

export interface FeatureParts {
  db: Database;
  now: () => Date;
  announcer: Announcer;
  callLimits: CallLimits;
  log: FastifyBaseLogger;
}

const PLAN_FOLLOWS_MS = 5_000;

export function createFeatures(parts: AppParts, { db, now, announcer, callLimits, log }: FeatureParts) {
  const { services, realtime = null, dailyLimitUsd, learnerBudgetsUsd, countsMinutes } = parts.ai ?? NO_AI;
  const changed = announcer.userMoved;
  const newId = randomUUID;
  const limits = createAccountLimits(parts.database, parts.limits ?? ACCOUNT_LIMITS);
  const accountFeatures = createAccountFeatures({
    db,
    now,
    accounts: createAccounts({ db, now, signedOut: announcer.signedOut }),
    announcer,
    settings: { ...ACCOUNT_DEFAULTS(), ...parts.account },
    // Each needs the other: reminders have links that sign in.
    mail: parts.enqueueMail ?? (async (tx, letter) => mail?.enqueue(tx, letter)),
    countsMinutes,
    onCodesPaused: onceIn(10 * 60_000, now, () => log.warn('sign_in_codes_paused')),
    // What could not be said now is said when subscriptions are compared: whoever has decided waits for no provider.
    planMoved: (userId) =>
      Promise.race([
        billing
          .heedLeaving(userId)
          .catch((error: unknown) => log.warn({ err: error }, 'a plan does not follow its account yet')),
        sleep(PLAN_FOLLOWS_MS, undefined, { ref: false }),
      ]),
  });
  const { accounts, access, makeAccessLink } = accountFeatures;
  const ledger = createLedger({
    db,
    now,
    dailyLimitUsd,
    ...(learnerBudgetsUsd === undefined ? {} : { learnerBudgetsUsd }),
    limitsAnonymous: countsMinutes,
    planOf: planReader({ db, now }),
  });
  const leases = createLeases({
    db,
    now,
    counts: countsMinutes,
    planOf: planReader({ db, now }),
    counted: createRecount({ now, changed }),
  });
  const memory = createMemory({ db, now, changed });
  const mail = parts.mail
    ? createMail({
        makeAccessLink,
        ...parts.mail,
        db,
        now,
        newId,
        changed,
        onTrouble: ({ error, ...trouble }) => log.warn({ ...trouble, err: error }, 'an e-mail did not go out'),
      })
    : null;
  const billing = createBilling({
    db,
    now,
    newId,
    changed,
    catalogueMoved: announcer.catalogueMoved,
    payments: parts.payments ?? null,
    origin: parts.account?.origin ?? ACCOUNT_DEFAULTS().origin,
    mail: async (tx, letter) => void (await mail?.enqueue(tx, letter)),
    onTrouble: (trouble) => log.warn(trouble, 'a subscription is not as it should be'),
  });
  return {
    ...accountFeatures,
    limits,
    admit: admission({ accounts, limits, access, callLimits }),
    leases,
    memory,
    mail,
    billing,
    coachings: createLocalCoaching({
      local: parts.ai?.local ?? null,
      services,
      createCoaching: (used) => createCoaching({ db, services: used, realtime, ledger, leases, memory, newId }),
    }),
    /** Null: nobody can listen and speak at once. */
    live:
      realtime === null
        ? null
        : createLiveCoaching({ db, realtime, judge: services.coach, ledger, leases, now, newId }),
  };
}

/** An attack is worth a line in the log, and not one a guess. */
function onceIn(ms: number, now: () => Date, act: () => void): () => void {
  let nextMs = 0;
  return () => {
    if (now().getTime() < nextMs) return;
    nextMs = now().getTime() + ms;
    act();
  };
}
