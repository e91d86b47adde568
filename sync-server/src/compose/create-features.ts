/** Builds the features and connects them with each other. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createDeviceRegistry, createPlanReader, createWipeOrders, type EnqueueAccountMail } from '../account/index.ts';
import { createAuthoringFeatures } from './create-authoring-features.ts';
import { createBilling, createRemainingTimeUpdater } from '../billing/index.ts';
import { createCoaching, createRealtimeCoaching, createMemory } from '../coach/index.ts';
import { createCrashes } from '../crashes/index.ts';
import type { Database } from '../db/client.ts';
import { createKeptRecordings } from '../kept-recordings/index.ts';
import { createMail } from '../mail/index.ts';
import { createMedia } from '../media/index.ts';
import { createLeases, createLedger } from '../metering/index.ts';
import { createPracticeReports, MAX_REPORTS_A_DAY_AND_NETWORK } from '../practice-reports/index.ts';
import { createSchool, readSchoolIdentity } from '../school/index.ts';
import type { PokeBroadcaster } from '../sync/index.ts';
import { ACCOUNT_LIMITS_PER_MINUTE, createAccountRateLimits } from '../http/limits/account-limits.ts';
import type { AiOptions, AppOptions, MediaOptions } from './app-options.ts';
import { createDailyLimiter } from '../http/limits/rate-limiter.ts';
import type { RequestLimits } from '../http/limits/request-limits.ts';
import { ACCOUNT_DEFAULTS, createAccountFeatures } from './create-account-features.ts';
import { createCoachingSelector } from '../http/routes/coaching-selector.ts';
import { createAdmission } from '../http/routes/admission.ts';

const AI_DISABLED: AiOptions = {
  services: { coach: null, transcriber: null, assessor: null, voice: null },
  dailyLimitUsd: null,
  isMetered: false,
};

export interface FeatureParts {
  db: Database;
  now: () => Date;
  announcer: PokeBroadcaster;
  requestLimits: RequestLimits;
  media: MediaOptions;
  log: FastifyBaseLogger;
}

const SUBSCRIPTION_SYNC_TIMEOUT_MS = 5_000;

export function createFeatures(parts: AppOptions, { db, now, announcer, requestLimits, media, log }: FeatureParts) {
  const { services, realtime = null, dailyLimitUsd, learnerBudgetsUsd, isMetered } = parts.ai ?? AI_DISABLED;
  const changed = announcer.pokeLearner;
  const newId = randomUUID;
  const limits = createAccountRateLimits(parts.database, parts.accountLimits ?? ACCOUNT_LIMITS_PER_MINUTE);
  const settings = { ...ACCOUNT_DEFAULTS(), ...parts.account };
  // Mail and sign-in depend on each other, since reminders contain sign-in links.
  const enqueueMail: EnqueueAccountMail = parts.enqueueMail ?? (async (tx, letter) => mail?.enqueue(tx, letter));
  const accountFeatures = createAccountFeatures({
    db,
    now,
    accounts: createDeviceRegistry({ db, now, onDeviceSignedOut: announcer.disconnectDevice }),
    announcer,
    settings,
    mail: enqueueMail,
    isMetered,
    onCodesPaused: throttle(10 * 60_000, now, () => log.warn('sign_in_codes_paused')),
    onMailLimited: throttle(10 * 60_000, now, () => log.warn('sign_in_mail_limited')),
    // The request does not wait for the payment provider. A failed update is repeated when subscriptions are
    // reconciled.
    syncSubscription: (userId) =>
      Promise.race([
        billing
          .syncSubscriptionWithAccount(userId)
          .catch((error: unknown) => log.warn({ err: error }, 'subscription_sync_failed')),
        sleep(SUBSCRIPTION_SYNC_TIMEOUT_MS, undefined, { ref: false }),
      ]),
  });
  const { accounts, access, makeAccessLink } = accountFeatures;
  const ledger = createLedger({
    db,
    now,
    dailyLimitUsd,
    ...(learnerBudgetsUsd === undefined ? {} : { learnerBudgetsUsd }),
    limitsAnonymous: isMetered,
    planOf: createPlanReader({ db, now }),
  });
  const leases = createLeases({
    db,
    now,
    isMetered,
    planOf: createPlanReader({ db, now }),
    onUsageRecorded: createRemainingTimeUpdater({ now, changed }),
  });
  const reportLimiter = createDailyLimiter(parts.database, {
    name: 'practice_reports',
    pointsPerDay: MAX_REPORTS_A_DAY_AND_NETWORK,
  });
  const memory = createMemory({ db, now, onChanged: changed });
  const mail = parts.mail
    ? createMail({
        makeAccessLink,
        ...parts.mail,
        db,
        now,
        newId,
        onChanged: changed,
        readSchool: readSchoolIdentity,
        onDeliveryFailure: ({ error, ...trouble }) => log.warn({ ...trouble, err: error }, 'mail_failed'),
      })
    : null;
  const billing = createBilling({
    db,
    now,
    newId,
    changed,
    onCatalogueChanged: announcer.pokeCatalogue,
    payments: parts.payments ?? null,
    origin: settings.origin,
    mail: async (tx, letter) => void (await mail?.enqueue(tx, letter)),
    onAlert: (trouble) => log.warn(trouble, 'subscription_inconsistent'),
  });
  const videos = createMedia({ db, now, ...media });
  return {
    ...accountFeatures,
    wipeOrders: createWipeOrders({ db, now, onDeviceSignedOut: announcer.disconnectDevice }),
    ...createAuthoringFeatures({
      db,
      now,
      media: videos,
      mediaOptions: media,
      origin: settings.origin,
      onCatalogueChanged: announcer.pokeCatalogue,
      services,
      ledger,
      newId,
    }),
    school: createSchool({
      db,
      now,
      access,
      mail: enqueueMail,
      makeAccessLink,
      onChanged: changed,
      secret: settings.secret,
      storage: media.storage,
      isMailWritten: parts.mail?.transport.writesToFolder === true,
    }),
    media: videos,
    crashes: createCrashes({ db, now }),
    practiceReports: createPracticeReports({ db, now, access, consumeForNetwork: reportLimiter.consume }),
    recordings: createKeptRecordings({
      db,
      now,
      storage: media.storage,
      ...(parts.recordingQuotas === undefined ? {} : { quotas: parts.recordingQuotas }),
    }),
    limits,
    admit: createAdmission({ accounts, limits, access, callLimits: requestLimits }),
    leases,
    memory,
    mail,
    billing,
    coachings: createCoachingSelector({
      local: parts.ai?.local ?? null,
      services,
      createCoaching: (used) => createCoaching({ db, services: used, realtime, ledger, leases, memory, newId }),
    }),
    /** Null when there is no realtime voice. */
    realtimeCoaching:
      realtime === null
        ? null
        : createRealtimeCoaching({ db, realtime, judge: services.coach, ledger, leases, now, newId }),
  };
}

/** Calls `act` at most once per interval, so that an attack does not write one log line per guess. */
function throttle(ms: number, now: () => Date, act: () => void): () => void {
  let nextMs = 0;
  return () => {
    if (now().getTime() < nextMs) return;
    nextMs = now().getTime() + ms;
    act();
  };
}
