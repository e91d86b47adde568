/** Where the payment provider tells us what happened, and where a browser lands after paying. */
import type { FastifyInstance } from 'fastify';
import type { Billing } from '../billing/index.ts';
import { failure } from '../failure.ts';
import { html } from './html.ts';
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

export function addBillingRoutes(app: FastifyInstance, billing: Billing): void {
  void app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers();
    plugin.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    plugin.post(WEBHOOK_PATH, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body))
        throw failure('request.invalid', { field: 'signature' });
      await billing.take(request.body, signature);
      return reply.send({ received: true });
    });
  });
  for (const [path, title, text] of [
    ['/billing/done', 'Thank you', 'Your plan is ready in a moment. You can close this window and go back to Parley.'],
    ['/billing/back', 'Back to Parley', 'You can close this window and go back to Parley.'],
  ] as const)
    app.get(path, (_request, reply) => showPage(reply, page(title, html`<p>${text}</p>`)));
}
