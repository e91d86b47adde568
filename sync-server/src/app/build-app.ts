/** Puts the server together: the composition root. */
import type { FastifyInstance } from 'fastify';
import {
  createAnnouncer,
  createPokeHub,
  readCatalogueVersion,
  readPoke,
  settleEpoch,
  type StreamParts,
} from '../sync/index.ts';
import type { AppParts } from './app-parts.ts';
import { addBillingRoutes, keepBillingRight } from './billing-routes.ts';
import { createCallLimits } from './call-limits.ts';
import { addContractRoutes } from './contract-routes.ts';
import { createFeatures } from './create-features.ts';
import { addApiDescription } from './describe-api.ts';
import { addExportRoute } from './export-route.ts';
import { hangUpOnClose } from './hang-up.ts';
import { addHealthRoute } from './health-route.ts';
import { keepTurnsMoved } from './keep-turns-moved.ts';
import { limitConnections } from './limit-connections.ts';
import { LOCAL_FIRST_BYTE_MS } from './local-models.ts';
import { addBounceRoute, addMailRoutes, runMailSchedule } from './mail-routes.ts';
import { openWebServer } from './open-web-server.ts';
import { waitForModels } from './wait-for-models.ts';
import { addRealtimeRoute } from './realtime-route.ts';
import { requireCallers } from './request-caller.ts';
import { addSpeechRoutes } from './speech-route.ts';
import { addStreamRoute } from './stream-route.ts';
import { tidyAccounts } from './tidy-accounts.ts';
import { addWebRoutes } from './web-routes.ts';

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, now = () => new Date() } = parts;
  const { db } = database;
  const callLimits = createCallLimits({
    database,
    ...(parts.callsAMinute === undefined ? {} : { callsAMinute: parts.callsAMinute }),
    ...(parts.accountCallsAMinute === undefined ? {} : { strictCallsAMinute: parts.accountCallsAMinute }),
  });
  const app = await openWebServer(parts, callLimits);
  const reason = await settleEpoch(database);
  if (reason !== null) app.log.warn({ reason }, 'epoch_changed');

  const hub = createPokeHub((userId) => readPoke(db, userId));
  const announcer = await createAnnouncer({
    hub,
    channel: database.channel,
    onLoss: (error) => app.log.warn({ err: error }, 'the other nodes were not told'),
  });
  // Whoever starts may have brought a newer catalogue: the devices at the other nodes hear of it.
  app.addHook('onListen', async () => announcer.catalogueMoved(await readCatalogueVersion(db)));
  app.addHook('preClose', () => announcer.close());
  hangUpOnClose(app);

  const onEpochChanged: StreamParts['onEpochChanged'] = (change) => app.log.warn(change, 'epoch_changed');

  const features = createFeatures(parts, { db, now, announcer, callLimits, log: app.log });
  const { accounts, access, gate, admit, billing, coachings, live, mail } = features;
  const connections = limitConnections(app, {
    maxConnections: parts.maxConnections,
    isBehindProxy: (parts.trustProxy ?? false) !== false,
  });
  requireCallers(app, { accounts, access, gate, callLimits, onProven: connections.prove });

  // As long as it listens.
  if (mail !== null && parts.mail?.isScheduled === true) runMailSchedule(app, mail, database);
  keepBillingRight(app, billing);
  tidyAccounts(app, { db, now, beforeErase: billing.forget, signedOut: announcer.signedOut });

  keepTurnsMoved(app, { db, now, changed: announcer.userMoved });

  waitForModels(app, parts.ai?.services.coach?.firstByteMs ?? (parts.ai?.local ? LOCAL_FIRST_BYTE_MS : null));
  const { strict } = callLimits;
  addHealthRoute(app, database);
  await addApiDescription(app);
  addContractRoutes(app, {
    ...features,
    db,
    now,
    hub,
    announcer,
    strict,
    log: app.log,
    marker: database.marker,
    version: parts.version ?? null,
    quotas: parts.storageQuotas,
    onEpochChanged,
  });
  addExportRoute(app, { db, now, admit, confirmation: features.confirmation });
  addBillingRoutes(app, billing);
  addWebRoutes(app, { ...features, db, now, strict });
  addSpeechRoutes(app, { admit, coachings });
  if (live !== null) addRealtimeRoute(app, { admit, live });
  addStreamRoute(app, { db, now, admit, onEpochChanged, lineWithinMs: parts.lineWithinMs });
  if (mail !== null) addMailRoutes(app, mail);
  const bouncesKey = parts.mail?.bouncesKey ?? null;
  if (mail !== null && bouncesKey !== null) addBounceRoute(app, mail, bouncesKey);
  return app;
}
