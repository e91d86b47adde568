import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { type Browser, openBrowser, type Page } from '../../test-kit/browser.ts';
import { anEmail, type Mailbox, createMailbox } from '../../test-kit/mailbox.ts';
import { confirmDevice, startServer, type TestServer } from '../../test-kit/server.ts';
import { setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';

export function plansPageSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);
  let mailbox: Mailbox;
  let server: TestServer;
  let restrictedServer: TestServer;
  let browser: Browser;
  let email: string;
  beforeAll(async () => {
    mailbox = createMailbox();
    const parts = { payments: shop.payments, enqueueMail: mailbox.enqueue };
    server = await startServer(shop.server.database, parts);
    restrictedServer = await startServer(shop.server.database, { ...parts, account: { access: 'granted' } });
  });
  afterAll(async () => {
    await server.app.close();
    await restrictedServer.app.close();
  });
  beforeEach(() => {
    browser = openBrowser(server);
    email = anEmail();
  });

  const signIn = async (at = server): Promise<void> => {
    browser = openBrowser(at);
    await at.post('/v1/account/request-sign-in', { email });
    await browser.submit(await browser.get(`/sign-in?link=${mailbox.link(email)}`), '/sign-in');
  };
  const userId = async (): Promise<string> => {
    const [user] = await shop.db.select().from(tables.users).where(eq(tables.users.email, email));
    return user?.userId ?? '';
  };
  /** The page to which the response redirects the browser. */
  const redirectTargetOf = ({ headers }: Page): string => /^0; url=(.+)$/.exec(String(headers['refresh']))?.[1] ?? '';
  const press = async (act: string, fields: Record<string, string> = {}): Promise<Page> =>
    browser.submit(await browser.get('/plans'), `/plans/${act}`, { fields });

  describe('the plans page', () => {
    it('shows prices and a way to sign in without an account', async () => {
      const { status, text } = await browser.get('/plans');
      expect(status).toBe(200);
      for (const words of ['<h2>Free</h2>', 'US$12.00 a month', 'US$240.00 a year', 'Test mode', 'href="/sign-in"'])
        expect(text).toContain(words);
      expect(text).not.toContain('<form');
    });

    it("leads to the provider's page and then shows the plan", async () => {
      await signIn();
      expect((await browser.get('/account')).text).toContain('href="/plans"');
      const { id } = await shop.findPrice('PLUS', 'year');
      const leading = await press('choose', { price: id });
      expect(leading.text).toContain(redirectTargetOf(leading).replaceAll('&', '&amp;'));
      await shop.payAt(redirectTargetOf(leading));
      expect(await shop.subscriptionRow(await userId())).toMatchObject({
        planType: 'PLUS',
        status: 'active',
        priceId: id,
      });
      const { text } = await browser.get('/plans');
      expect(text).toMatch(/Your plan: Plus.*It renews on \d+ \w+ \d{4}\./s);
      expect(text.match(/This is your plan\./g)).toHaveLength(1);
      expect(text).toContain('switch to it under');
      expect(text).not.toContain('Start the free week');
      expect(redirectTargetOf(await press('manage'))).toContain(shop.stripeFake.url);
    });

    it('starts the free week once', async () => {
      await signIn();
      const page = await browser.get('/plans');
      expect(await browser.submit(page, '/plans/start-free-week')).toMatchObject({ status: 303, location: '/plans' });
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(await userId())).toMatchObject({ status: 'trialing' });
      expect((await browser.get('/plans')).text).toContain('Your plan: Free week');
      expect((await browser.submit(page, '/plans/start-free-week')).text).toContain('already had its free week');
    });

    it('refuses forms of other pages and of signed-out browsers', async () => {
      await signIn();
      const { id } = await shop.findPrice('PLUS');
      expect((await browser.post('/plans/choose', { price: id })).status).toBe(403);
      const { location } = await openBrowser(server).post('/plans/choose', { price: id });
      expect(location).toBe('/sign-in');
      expect((await press('choose', { price: 'a rabbit' })).text).toContain('no longer offered');
    });

    it('offers nothing to a learner without access', async () => {
      await signIn(restrictedServer);
      const { text } = await browser.get('/plans');
      expect(text).toContain('approve learners one by one');
      expect(text).not.toContain('<form');
      const token = /name="token" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? '';
      const { id } = await shop.findPrice('PLUS');
      expect((await browser.post('/plans/choose', { token, price: id })).text).toContain('don’t have access yet');
      expect((await browser.post('/plans/start-free-week', { token })).status).toBe(403);
    });

    it('shows revoked access on an open server too', async () => {
      await signIn();
      const admin = await shop.registerLearner();
      await shop.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, admin.userId));
      const decision = { userIds: [await userId()], reason: 'a breach' };
      server.advanceClock(1_000);
      await confirmDevice(server, admin);
      expect((await server.post('/v1/admin/revoke-access-of-many', decision, admin.token)).status).toBe(200);
      const { text } = await browser.get('/plans');
      expect(text).toContain('Your access to this server ended on');
      expect(text).not.toContain('one by one');
    });

    it('asks a learner who requested deletion to withdraw it first', async () => {
      await signIn();
      const page = await browser.get('/plans');
      await browser.submit(await browser.get('/account'), '/account/request-deletion');
      expect((await browser.get('/plans')).text).toContain('This account is about to be deleted');
      const { id } = await shop.findPrice('PLUS');
      const refused = await browser.submit(page, '/plans/choose', { fields: { price: id } });
      expect(refused.text).toContain('Keep it first');
    });
  });

  it('describes on the account page how the plan ends on deletion', async () => {
    await signIn();
    await shop.payAt(redirectTargetOf(await press('choose', { price: (await shop.findPrice('PRO')).id })));
    expect((await browser.get('/account')).text).toContain('you won’t be charged again');
    await browser.submit(await browser.get('/account'), '/account/request-deletion');
    await shop.stripeFake.deliveries.settled();
    expect(await shop.subscriptionRow(await userId())).toMatchObject({ cancelAtPeriodEnd: true });
    const { text } = await browser.get('/account');
    expect(text).toMatch(/will be erased on .*you won’t be charged again.*your plan continues\./s);
  });
}
