/**
 * Answers only under the names that this server is meant to be reached by. A page elsewhere can point a name of its own at this machine
 * or into this network (DNS rebinding); to the browser it then is the same site, and only the `Host` header still tells it apart.
 */
import { isLoopbackName } from '@parley/contract';
import type { FastifyInstance } from 'fastify';

const WRONG_HOST =
  'This server does not answer under this name. Its operator lists the names in PUBLIC_URL and ALLOWED_HOSTS; a proxy in front of it must pass the Host header on.';

/** `names` are host names without a port: a proxy or a container may listen at another one. */
export function guardHost(app: FastifyInstance, names: readonly string[]): void {
  const allowed = new Set(names);
  app.addHook('onRequest', async (request, reply) => {
    // What watches the server may know it by its address alone.
    if (request.routeOptions.config.isHealthCheck === true) return;
    const name = hostnameOf(request.headers.host);
    if (name !== null && (allowed.has(name) || isLoopbackName(name))) return;
    await reply.status(421).send({ code: 'request.invalid', message: WRONG_HOST });
  });
}

const hostnameOf = (host: string | undefined): string | null =>
  host === undefined ? null : (URL.parse(`http://${host}`)?.hostname ?? null);
