/** Serves the built admin panel. Its policy allows scripts, styles and images of this origin only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { ADMIN_PANEL_PATH } from '@parley/contract';
import type { Localizer } from '@parley/i18n';
import type { FastifyInstance } from 'fastify';
import { localizerFor, pageLanguage } from '../localization/index.ts';
import { html } from './html.ts';
import { page, type ServerPage, showPage } from './layout.ts';

const BUILD_DIR = fileURLToPath(new URL('../../admin/out', import.meta.url));

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The hash of the only style element that React Aria adds.
  "style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  // Scripts may style an element, but markup cannot contain styles.
  "style-src-attr 'none'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR_MS = 365 * 24 * 3_600_000;

/** `buildDir` is where `npm run build` puts the panel. */
export async function addAdminPanel(
  app: FastifyInstance,
  { buildDir = BUILD_DIR }: { buildDir?: string | undefined } = {},
): Promise<void> {
  await app.register(async (scope) => {
    // `serve: false` adds only `reply.sendFile`, because all of the panel's own addresses lead to one page.
    await scope.register(fastifyStatic, { root: buildDir, serve: false });
    scope.get(`${ADMIN_PANEL_PATH}/assets/*`, (request, reply) => {
      const { '*': name = '' } = request.params as { '*'?: string };
      // The name of an asset contains the hash of its content.
      return reply.sendFile(join('assets', name), { maxAge: YEAR_MS, immutable: true });
    });
    for (const path of [ADMIN_PANEL_PATH, `${ADMIN_PANEL_PATH}/*`])
      scope.get(path, (request, reply) => {
        if (!existsSync(join(buildDir, 'index.html')))
          return showPage(reply, notBuiltPage(localizerFor(pageLanguage(request))), 503);
        void reply.headers({
          'content-security-policy': CONTENT_POLICY,
          'cache-control': 'no-cache',
          'x-robots-tag': 'noindex',
        });
        return reply.sendFile('index.html', { cacheControl: false });
      });
  });
}

function notBuiltPage(localizer: Localizer): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('The admin panel isn’t built yet'),
    html`<p>
      ${t(
        'Run “{command}” where the server is installed, then reload this page. Everything else on this server works.',
        {
          command: 'npm run build',
        },
      )}
    </p>`,
  );
}
