/**
 * Answers only to the configured host names. A foreign page can point its own host name at this machine or network (DNS rebinding), which
 * the browser then treats as the same site; only the `Host` header reveals it.
 */
import { isLoopbackName } from '@parley/contract';
import type { FastifyInstance } from 'fastify';

const WRONG_HOST =
  'This server does not answer to this host name. Its operator lists the names in PUBLIC_URL and ALLOWED_HOSTS; a proxy in front of it must forward the Host header.';

/** `names` are host names without ports, since a proxy or container may listen at another port. */
export function restrictHosts(app: FastifyInstance, names: readonly string[]): void {
  const allowed = new Set(names);
  app.addHook('onRequest', async (request, reply) => {
    // A health check may know only the server's IP address.
    if (request.routeOptions.config.isHealthCheck === true) return;
    const name = hostnameOf(request.headers.host);
    if (name !== null && (allowed.has(name) || isLoopbackName(name))) return;
    await reply.status(421).send({ code: 'request.invalid', message: WRONG_HOST });
  });
}

const hostnameOf = (host: string | undefined): string | null =>
  host === undefined ? null : (URL.parse(`http://${host}`)?.hostname ?? null);
