/** Sends the pages of the site, with headers that say what browsers and CDNs may cache and what a page may load. */
import type { SchoolIdentity } from '@parley/domain';
import type { FastifyReply } from 'fastify';
import { requestedLanguage } from '../localization/index.ts';
import { readSiteAssets } from './assets/assets.ts';
import { renderSitePage, type SitePage } from './pages/site-layout.ts';
import { withLanguage } from './site-addresses.ts';
import { type SiteWords, wordsFor } from './pages/site-words.ts';

const PAGE_CACHE = 'public, max-age=60, stale-while-revalidate=600';
/** For content that never changes under its address. */
export const ASSET_CACHE = 'public, max-age=31536000, immutable';
export const PICTURE_CACHE = 'public, max-age=86400';

const CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  // The pages have no script that connects anywhere, but Lighthouse reads robots.txt from within the page.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface SiteRenderer {
  assets: ReturnType<typeof readSiteAssets>;
  send: (
    reply: FastifyReply,
    makePage: (words: SiteWords) => SitePage | Promise<SitePage>,
    options?: { status?: number; isPublic?: boolean },
  ) => Promise<FastifyReply>;
  sendText: (reply: FastifyReply, type: string, text: string) => FastifyReply;
  /** For an address that has changed permanently. CDNs revalidate, because it may change back. */
  redirect: (reply: FastifyReply, path: string) => FastifyReply;
}

export function createSiteRenderer({
  readSchool,
  origin,
}: {
  readSchool: () => Promise<SchoolIdentity>;
  origin: string;
}): SiteRenderer {
  const assets = readSiteAssets();
  return {
    assets,
    async send(reply, makePage, { status = 200, isPublic = true } = {}) {
      const words = wordsFor(reply.request);
      const text = renderSitePage({ school: await readSchool(), origin, assets, words }, await makePage(words));
      // Isolation makes the browser start another process before it renders. Pages without scripts, which are the same
      // for everyone, do not need it.
      if (isPublic) reply.removeHeader('cross-origin-opener-policy');
      return reply
        .status(status)
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': CONTENT_POLICY,
          'content-language': words.language,
          // An address without a language is answered in the browser's language.
          ...(requestedLanguage(reply.request) === null ? { vary: 'accept-language' } : {}),
          'cache-control': isPublic ? PAGE_CACHE : 'no-store',
        })
        .send(text);
    },
    sendText: (reply, type, text) => reply.headers({ 'content-type': type, 'cache-control': PAGE_CACHE }).send(text),
    redirect(reply, path) {
      const language = requestedLanguage(reply.request);
      const address = language === null ? path : withLanguage(language, path);
      return reply.header('cache-control', PAGE_CACHE).redirect(address, 301);
    },
  };
}
