/** Builds the server from its options: this is the composition root. */
import type { FastifyInstance } from 'fastify';
import { setTimeout } from 'node:timers/promises';
import {
  createPokeBroadcaster,
  createPokeHub,
  readCatalogueVersion,
  readPoke,
  detectRestore,
  type StreamParts,
} from '../sync/index.ts';
import type { AppOptions, SiteOptions } from './app-options.ts';
import { addBillingRoutes } from '../http/routes/billing-routes.ts';
import { createRateLimiter } from '../http/limits/rate-limiter.ts';
import { createRequestLimits } from '../http/limits/request-limits.ts';
import { addContractRoutes } from '../http/routes/contract-routes.ts';
import { createFeatures } from './create-features.ts';
import { addOpenApiRoute } from '../http/openapi/openapi-route.ts';
import { addPackRoutes } from '../http/routes/content-routes.ts';
import { addMediaFileRoutes } from '../http/routes/media-routes.ts';
import { addUploadRoutes } from '../http/routes/upload-routes.ts';
import { addExportRoute, createExporter } from '../http/routes/export-route.ts';
import { closeConnectionsOnShutdown } from '../http/server/close-connections.ts';
import { measureApp, serveMetrics } from '../http/observability/metrics.ts';
import { addHealthRoutes } from '../http/server/health-route.ts';
import { createTemporaryMedia } from './connect-storage.ts';
import { createPeriodicJobs } from './jobs/periodic-jobs.ts';
import { scheduleJobs } from './jobs/schedule-jobs.ts';
import { limitConnections, MAX_CONNECTIONS } from '../http/limits/connection-limits.ts';
import { LOCAL_FIRST_BYTE_MS } from '../http/routes/coaching-selector.ts';
import { addBounceRoute, addMailRoutes } from '../http/routes/mail-routes.ts';
import { createHttpServer } from '../http/server/create-http-server.ts';
import { extendModelTimeouts } from '../http/server/model-timeouts.ts';
import { addRealtimeRoute } from '../http/realtime/realtime-route.ts';
import { authenticateBeforeBody } from '../http/request-bodies/body-sender.ts';
import { addRecordingRoutes } from '../http/routes/recording-routes.ts';
import { addSpeechRoutes } from '../http/routes/speech-routes.ts';
import { addStreamRoute } from '../http/streams/sync-stream-route.ts';
import { addAdminPanel } from '../web/admin-panel.ts';
import { createIdentityReader } from '../school/index.ts';
import { addSiteRoutes } from '../site/index.ts';
import { ACCOUNT_DEFAULTS } from './create-account-features.ts';
import { addPageRoutes } from '../web/page-routes.ts';

/** The timeout for connections. The others are for requests. */
const SHARE_OF_LISTENERS = 0.8;
const MIRROR_WITHIN_MS = 10_000;
/** An app that has lost its connection tries about ten times in half a minute. */
const REALTIME_CONNECTIONS_PER_MINUTE = 20;
const SITE_DEFAULTS: SiteOptions = { textsDir: null, downloadsDir: null, operatorEmail: 'operator@parley.invalid' };

export async function buildApp(parts: AppOptions): Promise<FastifyInstance> {
  const { database, now = () => new Date() } = parts;
  const { db } = database;
  const callLimits = createRequestLimits({
    database,
    ...(parts.requestsPerMinute === undefined ? {} : { requestsPerMinute: parts.requestsPerMinute }),
    ...(parts.strictRequestsPerMinute === undefined ? {} : { strictRequestsPerMinute: parts.strictRequestsPerMinute }),
  });
  const app = await createHttpServer({ isHttps: parts.account?.hasSecureCookies ?? false, ...parts }, callLimits);
  const reason = await detectRestore(database);
  if (reason !== null) app.log.warn({ reason }, 'epoch_changed');

  const hub = createPokeHub((userId) => readPoke(db, userId), {
    maxListeners: Math.floor((parts.maxConnections ?? MAX_CONNECTIONS) * SHARE_OF_LISTENERS),
  });
  const announcer = await createPokeBroadcaster({
    hub,
    channel: database.channel,
    onLoss: (error) => app.log.warn({ err: error }, 'peer_notification_failed'),
  });
  // This start may have installed a newer catalogue, so devices on other nodes are poked.
  app.addHook('onListen', async () => announcer.pokeCatalogue(await readCatalogueVersion(db)));
  app.addHook('preClose', () => announcer.close());
  closeConnectionsOnShutdown(app);

  if (parts.metrics !== undefined) {
    const registry = measureApp(app, { database, now, countListeners: hub.listeners });
    const metrics = await serveMetrics(registry, parts.metrics);
    app.log.info({ port: metrics.port }, 'metrics_ready');
    app.addHook('onClose', () => metrics.close());
  }

  const onEpochChanged: StreamParts['onEpochChanged'] = (change) => app.log.warn(change, 'epoch_changed');

  const readSchool = createIdentityReader(db, (error) => app.log.warn({ err: error }, 'school_unreadable'));
  app.decorate('readSchool', readSchool);

  const mediaOptions = parts.media ?? createTemporaryMedia(app);
  const features = createFeatures(parts, {
    db,
    now,
    announcer,
    requestLimits: callLimits,
    media: mediaOptions,
    log: app.log,
  });
  const { accounts, access, gate, admit, billing, coachings, realtimeCoaching, mail } = features;
  const connections = limitConnections(app, {
    maxConnections: parts.maxConnections,
    isBehindProxy: (parts.trustProxy ?? false) !== false,
  });
  authenticateBeforeBody(app, { accounts, access, gate, requestLimits: callLimits, onProven: connections.markProven });

  let mirroring = Promise.resolve();
  app.addHook('onListen', async () => {
    mirroring = billing
      .refreshCatalogue()
      .catch((error: unknown) => app.log.warn({ err: error }, 'price_list_mirror_failed'));
  });
  // This writes to the database, which is closed next. A provider that does not answer must not hold up the shutdown.
  app.addHook('preClose', () => Promise.race([mirroring, setTimeout(MIRROR_WITHIN_MS, undefined, { ref: false })]));
  const periodic = createPeriodicJobs({
    db,
    now,
    authoring: features.authoring,
    media: features.media,
    crashes: features.crashes,
    practiceReports: features.practiceReports,
    school: features.school,
    recordings: features.recordings,
    billing,
    beforeErase: billing.removeCustomer,
    onDeviceSignedOut: announcer.disconnectDevice,
    onChanged: announcer.pokeLearner,
    log: app.log,
  });
  scheduleJobs(app, {
    jobs: database.jobs,
    periodic: parts.runsJobs === true ? periodic : [],
    mail: parts.mail?.isScheduled === true ? mail : null,
  });

  extendModelTimeouts(app, parts.ai?.services.coach?.firstByteMs ?? (parts.ai?.local ? LOCAL_FIRST_BYTE_MS : null));
  const { strict, strictForDevices } = callLimits;
  addHealthRoutes(app, { database, draining: parts.draining ?? null });
  addOpenApiRoute(app, { sessionCookie: features.cookies.session });
  addContractRoutes(app, {
    ...features,
    db,
    now,
    hub,
    announcer,
    strict,
    strictForDevices,
    log: app.log,
    marker: database.marker,
    plansOnce: database.jobs.type === 'postgres',
    version: parts.version ?? null,
    quotas: parts.storageQuotas,
    onEpochChanged,
  });
  const adminParts = { ...features, secondFactor: features.school.secondFactor };
  addPackRoutes(app, adminParts);
  addMediaFileRoutes(app, adminParts);
  addUploadRoutes(app, { ...adminParts, uploadsDir: mediaOptions.uploadsDir });
  const exporter = createExporter({
    db,
    storage: mediaOptions.storage,
    pieceTimeoutMs: parts.streamLineTimeoutMs,
    minimumPace: parts.minimumExportPace,
  });
  addExportRoute(app, { exporter, admit, confirmation: features.confirmation, strictForDevices });
  addBillingRoutes(app, billing);
  addPageRoutes(app, { ...features, exporter, db, now, strict });
  addSiteRoutes(app, {
    ...features,
    db,
    now,
    strict,
    origin: parts.account?.origin ?? ACCOUNT_DEFAULTS().origin,
    accessMode: parts.account?.access ?? ACCOUNT_DEFAULTS().access,
    readSchool,
    storage: mediaOptions.storage,
    drawsCoversAhead: parts.runsJobs === true,
    ...SITE_DEFAULTS,
    ...parts.site,
  });
  await addAdminPanel(app, { buildDir: parts.adminPanelDir });
  addSpeechRoutes(app, { admit, coachings });
  addRecordingRoutes(app, { admit, recordings: features.recordings });
  if (realtimeCoaching !== null)
    addRealtimeRoute(app, {
      admit,
      coaching: realtimeCoaching,
      connectionLimiter: createRateLimiter(parts.database, {
        name: 'realtime',
        pointsPerMinute: REALTIME_CONNECTIONS_PER_MINUTE,
      }),
      onProven: connections.markProven,
    });
  addStreamRoute(app, {
    db,
    now,
    admit,
    onEpochChanged,
    lineTimeoutMs: parts.streamLineTimeoutMs,
    maxStreams: parts.maxSyncStreams,
  });
  if (mail !== null) addMailRoutes(app, mail);
  const bouncesKey = parts.mail?.bounceKey ?? null;
  if (mail !== null && bouncesKey !== null) addBounceRoute(app, mail, bouncesKey);
  return app;
}
