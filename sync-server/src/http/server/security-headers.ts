/** Sets the security headers of every response, whether it is a page, an API response or an error. */
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { STYLE_HASH } from '../../web/layout.ts';

const HSTS_MAX_AGE_S = 365 * 24 * 3_600;

export async function addSecurityHeaders(app: FastifyInstance, { isHttps }: { isHttps: boolean }): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [`'${STYLE_HASH}'`],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // Other hosts of the operator's domain must not be forced to HTTPS by us.
    strictTransportSecurity: isHttps ? { maxAge: HSTS_MAX_AGE_S, includeSubDomains: false } : false,
  });
}
