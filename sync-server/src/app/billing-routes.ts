/** Where the payment provider tells us what happened, and where a browser lands after paying. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Billing } from '../billing/index.ts';
import { failure } from '../failure.ts';
import { html } from './html.ts';
import { refuseCompressed } from './request-caller.ts';
import { page, showPage } from './web-layout.ts';

export const WEBHOOK_PATH = '/v1/billing/webhook';

const COMPARE_EVERY_MS = 3_600_000;

/** For as long as the server listens: what is sold, and what a lost event has left wrong. */
export function keepBillingRight(app: FastifyInstance, billing: Billing): void {
  const work = (what: string, act: () => Promise<unknown>): void =>
    void act().catch((error: unknown) => app.log.warn({ err: error }, what));
  const compare = (): void =>
    work('subscriptions could not be compared', async () => {
      const { looked, repaired } = await billing.reconcile();
      if (repaired > 0) app.log.warn({ looked, repaired }, 'subscriptions were not as the provider says');
    });
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    work('what is sold could not be read', billing.mirror);
    compare();
    timer = setInterval(compare, COMPARE_EVERY_MS);
    timer.unref();
  });
  app.addHook('preClose', async () => clearInterval(timer));
}

/** Events are signed as they were sent, byte for byte. */
const MAX_EVENT_BYTES = 1024 * 1024;

function signatureOf({ headers }: FastifyRequest): string {
  const signature = headers['stripe-signature'];
  if (typeof signature !== 'string') throw failure('request.invalid', { field: 'signature' });
  return signature;
}

const requireSignature = async (request: FastifyRequest): Promise<void> => {
  signatureOf(request);
};

export function addBillingRoutes(app: FastifyInstance, billing: Billing): void {
  void app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers();
    plugin.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    // The signature is over the body, so it is read first; what Stripe sends is never compressed.
    plugin.post(
      WEBHOOK_PATH,
      { config: { caller: 'key' }, onRequest: [requireSignature, refuseCompressed] },
      async (request, reply) => {
        if (!Buffer.isBuffer(request.body)) throw failure('request.invalid', { field: 'signature' });
        await billing.take(request.body, signatureOf(request));
        return reply.send({ received: true });
      },
    );
  });
  for (const [path, title, text] of [
    ['/billing/done', 'Thank you', 'Your plan is ready in a moment. You can close this window and go back to Parley.'],
    ['/billing/back', 'Back to Parley', 'You can close this window and go back to Parley.'],
  ] as const)
    app.get(path, (_request, reply) => showPage(reply, page(title, html`<p>${text}</p>`)));
}
