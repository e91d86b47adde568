/** Serves the unsubscribe pages and the bounce webhook. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Localizer } from '@parley/i18n';
import { DomainError } from '../../domain-error.ts';
import { type Mail, UNSUBSCRIBE_PATH, UPGRADE_DISMISSAL_PATH } from '../../mail/index.ts';
import { localizerFor, pageLanguage } from '../../localization/index.ts';
import {
  brokenLinkPage,
  dismissUpgradePage,
  unsubscribedPage,
  unsubscribePage,
  upgradeDismissedPage,
} from '../../web/unsubscribe-pages.ts';
import { showPage } from '../../web/layout.ts';

export const BOUNCES_PATH = '/v1/mail/bounces';
/** A notification quotes the returned e-mail, and ours are small. Parsing a longer one would hold up all other requests. */
const MAX_NOTIFICATION_BYTES = 256 * 1024;

/** Accepts bounce notifications (RFC 3464) as raw messages, with the key as a bearer token. */
export function addBounceRoute(app: FastifyInstance, mail: Mail, key: string): void {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = hash(`Bearer ${key}`);
  void app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers();
    plugin.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_NOTIFICATION_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    // This runs before the body is read, so that an unauthenticated body is never read.
    plugin.addHook('onRequest', async ({ headers }) => {
      if (!timingSafeEqual(hash(headers.authorization ?? ''), expected)) throw new DomainError('auth.required');
    });
    plugin.post(BOUNCES_PATH, { config: { caller: 'key' } }, async ({ body }) => {
      if (!Buffer.isBuffer(body)) throw new DomainError('request.invalid', { field: 'body' });
      const mailId = await mail.recordDeliveryStatus(body);
      return { noted: mailId !== null };
    });
  });
}

export function addMailRoutes(app: FastifyInstance, { unsubscribe, upgradeDismissal }: Mail): void {
  const tokenOf = (request: FastifyRequest): unknown => (request.query as { token?: unknown }).token;
  const wordsFor = (request: FastifyRequest): Localizer => localizerFor(pageLanguage(request));
  // The link never expires and its token is in the address, so these requests are not logged.
  const withoutAccessLog = { logLevel: 'warn' } as const;

  app.get(UNSUBSCRIBE_PATH, withoutAccessLog, async (request, reply) => {
    const token = tokenOf(request);
    return unsubscribe.readToken(token) === null
      ? showPage(reply, brokenLinkPage(wordsFor(request)), 400)
      : showPage(reply, unsubscribePage(wordsFor(request), String(token)));
  });

  // Serves both the page's button and one-click unsubscribe by mail programs (RFC 8058), which send no cookie and any body.
  app.post(UNSUBSCRIBE_PATH, { ...withoutAccessLog, config: { caller: 'anyone' } }, async (request, reply) => {
    const userId = unsubscribe.readToken(tokenOf(request));
    if (userId === null) return showPage(reply, brokenLinkPage(wordsFor(request)), 400);
    await unsubscribe.turnOff(userId);
    return showPage(reply, unsubscribedPage(wordsFor(request)));
  });

  app.get(UPGRADE_DISMISSAL_PATH, withoutAccessLog, async (request, reply) => {
    const token = tokenOf(request);
    return upgradeDismissal.readToken(token) === null
      ? showPage(reply, brokenLinkPage(wordsFor(request)), 400)
      : showPage(reply, dismissUpgradePage(wordsFor(request), String(token)));
  });

  app.post(UPGRADE_DISMISSAL_PATH, { ...withoutAccessLog, config: { caller: 'anyone' } }, async (request, reply) => {
    const userId = upgradeDismissal.readToken(tokenOf(request));
    if (userId === null) return showPage(reply, brokenLinkPage(wordsFor(request)), 400);
    await upgradeDismissal.dismiss(userId);
    return showPage(reply, upgradeDismissedPage(wordsFor(request)));
  });
}
