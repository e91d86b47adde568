/**
 * Measures the server for Prometheus. The metrics are served on a separate port, because they are for the operator and
 * must not be readable on the public one.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { and, eq, min, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DatabaseConnection } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { aiSpending } from '../../db/metering-tables.ts';
import { type QueueAge, readQueueAges } from '../../jobs/index.ts';

export interface MetricsParts {
  database: Pick<DatabaseConnection, 'db' | 'pool'>;
  now: () => Date;
  /** The number of devices that listen for pokes at this node. */
  countListeners: () => number;
}

const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
/** The route of the site that answers unknown addresses. */
const CATCH_ALL = '/*';
const MICROS_PER_USD = 1_000_000;
/** Several Prometheus servers may scrape one node; their scrapes share one database query. */
const DATABASE_FIGURES_MAX_AGE_MS = 10_000;

interface DatabaseFigures {
  waitingMails: number;
  oldestWaitingMailS: number;
  aiCostTodayUsd: number;
  queueAges: QueueAge[];
}

/** Measures the app's requests, and returns the registry with all metrics of this process. */
export function measureApp(app: FastifyInstance, parts: MetricsParts): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const durations = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time until the response was sent, by route. Streams count until they end.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    // An unknown path is chosen by the caller and must not create a series.
    const { url = CATCH_ALL } = request.routeOptions;
    const route = request.is404 || url === CATCH_ALL ? 'unknown' : url;
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
  });

  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read());
        },
      }),
    );
  };
  gauge('parley_listening_devices', 'Devices that listen for changes at this node.', parts.countListeners);
  const { pool } = parts.database;
  if (pool !== null) {
    gauge('parley_database_connections', 'Open connections to PostgreSQL.', () => pool().total);
    gauge('parley_database_connections_idle', 'Connections that no query uses.', () => pool().idle);
    gauge('parley_database_queries_waiting', 'Queries that wait for a connection.', () => pool().waiting);
  }
  const figures = cacheFigures(parts);
  registry.registerMetric(
    new Gauge({
      name: 'parley_job_oldest_waiting_seconds',
      help: 'Age of the oldest due run of each periodic job, on all nodes.',
      labelNames: ['queue'],
      registers: [],
      async collect() {
        this.reset();
        for (const { queue, seconds } of (await figures()).queueAges) this.set({ queue }, seconds);
      },
    }),
  );
  gauge(
    'parley_mails_waiting',
    'E-mails that are due or wait for another try.',
    async () => (await figures()).waitingMails,
  );
  gauge(
    'parley_mail_oldest_waiting_seconds',
    'Age of the oldest waiting e-mail.',
    async () => (await figures()).oldestWaitingMailS,
  );
  gauge(
    'parley_ai_cost_today_usd',
    'What AI has cost since midnight UTC, on all nodes.',
    async () => (await figures()).aiCostTodayUsd,
  );
  return registry;
}

function cacheFigures({ database: { db }, now }: MetricsParts): () => Promise<DatabaseFigures> {
  let cached: { readAtMs: number; figures: Promise<DatabaseFigures> } | null = null;
  return () => {
    const nowMs = performance.now();
    if (cached === null || nowMs - cached.readAtMs > DATABASE_FIGURES_MAX_AGE_MS)
      cached = { readAtMs: nowMs, figures: readFigures(db, now()) };
    return cached.figures;
  };
}

async function readFigures(db: DatabaseConnection['db'], now: Date): Promise<DatabaseFigures> {
  const [[waiting], [spent], queueAges] = await Promise.all([
    db
      .select({ count: sql<number>`count(*)::int`, oldest: min(mails.createdAt) })
      .from(mails)
      .where(eq(mails.state, 'queued')),
    db
      .select({ costMicros: aiSpending.costMicros })
      .from(aiSpending)
      .where(and(eq(aiSpending.day, now.toISOString().slice(0, 10)), eq(aiSpending.payer, 'all'))),
    readQueueAges(db),
  ]);
  const oldest = waiting?.oldest ?? null;
  return {
    waitingMails: waiting?.count ?? 0,
    oldestWaitingMailS: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1_000),
    aiCostTodayUsd: (spent?.costMicros ?? 0) / MICROS_PER_USD,
    queueAges,
  };
}

export interface MetricsServer {
  port: number;
  close: () => Promise<void>;
}

/** Serves the registry at `/metrics`. */
export async function serveMetrics(
  registry: Registry,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      // The database does not answer: a failed scrape is itself a signal.
      () => response.writeHead(503).end(),
    );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
