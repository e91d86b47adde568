/**
 * Serves `GET /livez`, whether the process answers; `GET /readyz`, whether it should get requests; and `GET /healthz`,
 * which is like `/readyz` but stays 200 while the server drains, for existing monitors.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { DatabaseConnection } from '../../db/client.ts';

const HEALTH_CHECK = { config: { isHealthCheck: true } } as const;

export interface HealthParts {
  database: Pick<DatabaseConnection, 'check'>;
  /** Aborted when the node is about to close, so that a load balancer sends its requests to others. */
  draining: AbortSignal | null;
}

export function addHealthRoutes(app: FastifyInstance, { database, draining }: HealthParts): void {
  // Health checks have no rate limit, so concurrent ones share one database query.
  let checking: Promise<void> | null = null;

  async function answer(reply: FastifyReply): Promise<{ status: string }> {
    checking ??= database.check().finally(() => {
      checking = null;
    });
    try {
      await checking;
      return { status: 'ok' };
    } catch {
      void reply.status(503);
      return { status: 'database_unreachable' };
    }
  }

  app.get('/livez', HEALTH_CHECK, async () => ({ status: 'ok' }));
  app.get('/healthz', HEALTH_CHECK, async (_request, reply) => answer(reply));
  app.get('/readyz', HEALTH_CHECK, async (_request, reply) => {
    if (draining?.aborted !== true) return answer(reply);
    void reply.status(503);
    return { status: 'shutting_down' };
  });
}
