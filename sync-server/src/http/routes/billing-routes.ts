/** Receives the payment provider's webhooks and serves the pages that follow a checkout. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Billing } from '../../billing/index.ts';
import { DomainError } from '../../domain-error.ts';
import { localizerFor, pageLanguage } from '../../localization/index.ts';
import { html } from '../../web/html.ts';
import { rejectCompressed } from '../request-bodies/body-sender.ts';
import { page, showPage } from '../../web/layout.ts';

export const WEBHOOK_PATH = '/v1/billing/webhook';

/** The signature covers the exact bytes that were sent, so the body is kept as a buffer. */
const MAX_EVENT_BYTES = 1024 * 1024;

function readSignature({ headers }: FastifyRequest): string {
  const signature = headers['stripe-signature'];
  if (typeof signature !== 'string') throw new DomainError('request.invalid', { field: 'signature' });
  return signature;
}

const requireSignature = async (request: FastifyRequest): Promise<void> => {
  readSignature(request);
};

export function addBillingRoutes(app: FastifyInstance, billing: Billing): void {
  void app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers();
    plugin.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    // The signature header is checked before the body is read. Stripe never compresses its events.
    plugin.post(
      WEBHOOK_PATH,
      { config: { caller: 'key' }, onRequest: [requireSignature, rejectCompressed] },
      async (request, reply) => {
        if (!Buffer.isBuffer(request.body)) throw new DomainError('request.invalid', { field: 'signature' });
        await billing.handleEvent(request.body, readSignature(request));
        return reply.send({ received: true });
      },
    );
  });
  app.get('/billing/done', (request, reply) => {
    const words = localizerFor(pageLanguage(request));
    const text = words.t('Your plan will be ready in a moment. You can close this window and go back to Parley.');
    return showPage(reply, page(words, words.t('Thank you'), html`<p>${text}</p>`));
  });
  app.get('/billing/back', (request, reply) => {
    const words = localizerFor(pageLanguage(request));
    const text = words.t('You can close this window and go back to Parley.');
    return showPage(reply, page(words, words.t('Back to Parley'), html`<p>${text}</p>`));
  });
}
