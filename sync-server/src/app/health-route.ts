/** `GET /healthz`: whether this server can do its work, for whoever starts and watches it. */
import type { FastifyInstance } from 'fastify';
import type { DatabaseConnection } from '../db/client.ts';

export function addHealthRoute(app: FastifyInstance, database: Pick<DatabaseConnection, 'check'>): void {
  app.get('/healthz', async (_request, reply) => {
    try {
      await database.check();
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'database_unreachable' });
    }
  });
}
