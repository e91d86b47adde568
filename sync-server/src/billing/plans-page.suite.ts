import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { type Browser, openBrowser, type Page } from '../test-kit/browser.ts';
import { anAddress, type Mailbox, openMailbox } from '../test-kit/mailbox.ts';
import { confirmDevice, startServer, type TestServer } from '../test-kit/server.ts';
import { setUpShop } from './test-kit/shop.ts';

export function plansPageSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpShop(open);
  let mailbox: Mailbox;
  let server: TestServer;
  let chosen: TestServer;
  let browser: Browser;
  let email: string;
  beforeAll(async () => {
    mailbox = openMailbox();
    const parts = { payments: shop.payments, enqueueMail: mailbox.enqueue };
    server = await startServer(shop.server.database, parts);
    chosen = await startServer(shop.server.database, { ...parts, account: { access: 'granted' } });
  });
  afterAll(async () => {
    await server.app.close();
    await chosen.app.close();
  });
  beforeEach(() => {
    browser = openBrowser(server);
    email = anAddress();
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
  /** Where a browser goes by itself. */
  const ledTo = ({ headers }: Page): string => /^0; url=(.+)$/.exec(String(headers['refresh']))?.[1] ?? '';
  const press = async (act: string, fields: Record<string, string> = {}): Promise<Page> =>
    browser.submit(await browser.get('/plans'), `/plans/${act}`, { fields });

  describe('the page of the plans', () => {
    it('shows everybody what there is, and how to come to it', async () => {
      const { status, text } = await browser.get('/plans');
      expect(status).toBe(200);
      for (const words of ['no charge', 'US$12.00 a month', 'US$240.00 a year', 'Test mode', 'href="/sign-in"'])
        expect(text).toContain(words);
      expect(text).not.toContain('<form');
    });

    it('leads to the provider’s page, and says afterwards which plan it is', async () => {
      await signIn();
      expect((await browser.get('/account')).text).toContain('href="/plans"');
      const { id } = await shop.price('PLUS', 'year');
      const leading = await press('choose', { price: id });
      expect(leading.text).toContain(ledTo(leading).replaceAll('&', '&amp;'));
      await shop.payAt(ledTo(leading));
      expect(await shop.row(await userId())).toMatchObject({ planType: 'PLUS', status: 'active', priceId: id });
      const { text } = await browser.get('/plans');
      expect(text).toMatch(/Yours: Plus.*It is renewed on \d+ \w+ \d{4}\./s);
      expect(text.match(/This is your plan\./g)).toHaveLength(1);
      expect(text).toContain('Change to it under');
      expect(text).not.toContain('Start the free week');
      expect(ledTo(await press('manage'))).toContain(shop.twin.url);
    });

    it('begins the free week, once', async () => {
      await signIn();
      const page = await browser.get('/plans');
      expect(await browser.submit(page, '/plans/start-free-week')).toMatchObject({ status: 303, location: '/plans' });
      await shop.twin.deliveries.settled();
      expect(await shop.row(await userId())).toMatchObject({ status: 'trialing' });
      expect((await browser.get('/plans')).text).toContain('Yours: Free week');
      expect((await browser.submit(page, '/plans/start-free-week')).text).toContain('has had its free week');
    });

    it('takes no form of another page, and none of a browser that is not signed in', async () => {
      await signIn();
      const { id } = await shop.price('PLUS');
      expect((await browser.post('/plans/choose', { price: id })).status).toBe(403);
      const { location } = await openBrowser(server).post('/plans/choose', { price: id });
      expect(location).toBe('/sign-in');
      expect((await press('choose', { price: 'a rabbit' })).text).toContain('not offered any more');
    });

    it('offers nothing to whom it cannot give anything', async () => {
      await signIn(chosen);
      const { text } = await browser.get('/plans');
      expect(text).toContain('lets people in one by one');
      expect(text).not.toContain('<form');
      const token = /name="token" value="([^"]+)"/.exec((await browser.get('/account')).text)?.[1] ?? '';
      const { id } = await shop.price('PLUS');
      expect((await browser.post('/plans/choose', { token, price: id })).text).toContain('not been let in yet');
      expect((await browser.post('/plans/start-free-week', { token })).status).toBe(403);
    });

    it('says on an open server, too, that access was taken away', async () => {
      await signIn();
      const admin = await shop.learner();
      await shop.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, admin.userId));
      const decision = { userId: await userId(), reason: 'a breach' };
      server.pass(1_000);
      await confirmDevice(server, admin);
      expect((await server.post('/v1/admin/revoke-access', decision, admin.token)).status).toBe(200);
      const { text } = await browser.get('/plans');
      expect(text).toContain('took your access away on');
      expect(text).not.toContain('one by one');
    });

    it('has whoever wants to be erased decide that first', async () => {
      await signIn();
      const page = await browser.get('/plans');
      await browser.submit(await browser.get('/account'), '/account/request-deletion');
      expect((await browser.get('/plans')).text).toContain('You asked us to delete this account');
      const { id } = await shop.price('PLUS');
      const refused = await browser.submit(page, '/plans/choose', { fields: { price: id } });
      expect(refused.text).toContain('Keep it first');
    });
  });

  it('the account’s page says what becomes of a plan, before it is asked for and after', async () => {
    await signIn();
    await shop.payAt(ledTo(await press('choose', { price: (await shop.price('PRO')).id })));
    expect((await browser.get('/account')).text).toContain('you are not charged again');
    await browser.submit(await browser.get('/account'), '/account/request-deletion');
    await shop.twin.deliveries.settled();
    expect(await shop.row(await userId())).toMatchObject({ cancelAtPeriodEnd: true });
    const { text } = await browser.get('/account');
    expect(text).toMatch(/will be erased on .*you are not charged again.*your plan goes on\./s);
  });
}
