/** `GET /healthz`: whether this server can do its work, for whoever starts and watches it. */
import type { FastifyInstance } from 'fastify';
import type { DatabaseConnection } from '../db/client.ts';

export function addHealthRoute(app: FastifyInstance, database: Pick<DatabaseConnection, 'check'>): void {
  // These calls are not limited, so those that come at once share one question to the database.
  let checking: Promise<void> | null = null;
  app.get('/healthz', { config: { isHealthCheck: true } }, async (_request, reply) => {
    checking ??= database.check().finally(() => {
      checking = null;
    });
    try {
      await checking;
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'database_unreachable' });
    }
  });
}
