/** Serves the school's colour, its logo, and the favicon. */
import { BRAND_STYLE_PATH } from '@parley/contract';
import { brandColours, type SchoolIdentity } from '@parley/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { LOGO_PATH, openLogo } from '../school/index.ts';
import { brandStyle } from '../web/brand.ts';
import { notFoundPage } from './pages/text-pages.ts';
import { ASSET_CACHE, PICTURE_CACHE, type SiteRenderer } from './site-renderer.ts';

export interface BrandRouteParts {
  readSchool: () => Promise<SchoolIdentity>;
  /** The storage that has the logo. */
  storage: FileStorage;
}

const ICON_COLOUR = '#2f49c9';
const icon = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 0 24 24"><path d="M5 4v16M14 11.5v1" stroke="${colour}" stroke-width="6" stroke-linecap="round"/></svg>`;

const BrandStyle = z.object({ file: z.string().regex(/^[0-9a-f]{6}\.css$/) });
const Logo = z.object({ file: z.string().regex(/^[0-9a-f]{64}\.png$/) });

export function addBrandRoutes(
  scope: FastifyInstance,
  { readSchool, storage }: BrandRouteParts,
  site: SiteRenderer,
): void {
  const sendNothing = (reply: FastifyReply): Promise<FastifyReply> =>
    site.send(reply, notFoundPage, { status: 404, isPublic: false });
  scope.get(`${BRAND_STYLE_PATH}/:file`, (request, reply) => {
    const asked = BrandStyle.safeParse(request.params);
    const style = asked.success ? brandStyle(asked.data.file.slice(0, 6)) : null;
    if (style === null) return sendNothing(reply);
    return reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': ASSET_CACHE }).send(style);
  });
  scope.get(`${LOGO_PATH}/:file`, async (request, reply) => {
    const asked = Logo.safeParse(request.params);
    const logo = asked.success ? await openLogo(storage, asked.data.file.slice(0, -'.png'.length)) : null;
    if (logo === null) return sendNothing(reply);
    return reply.headers({ 'content-type': 'image/png', 'cache-control': ASSET_CACHE }).send(logo);
  });
  scope.get('/site/icon.svg', async (_request, reply) => {
    const { colour } = await readSchool();
    return reply
      .headers({ 'content-type': 'image/svg+xml', 'cache-control': PICTURE_CACHE })
      .send(icon(colour === null ? ICON_COLOUR : brandColours(colour).light));
  });
}
