/**
 * A learner who returns to a shared computer, where another one signed in before the server had received everything.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenHost, openHost, startPractice } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';
import { aMailbox } from '../../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

const mailbox = aMailbox();
let server: TestServer;
let laptop: OpenHost;
beforeEach(async () => {
  server = await startServer({ account: { access: 'open' }, enqueueMail: mailbox.enqueueMail });
  laptop = await openHost({ serverUrl: server.url });
});
afterEach(async () => {
  await laptop.host.close();
  await server.close();
});

it('shows a returning learner their sessions, each computed once', async () => {
  const { ask } = laptop;
  await ask.sync.run();
  await mailbox.signIn(laptop, 'ada@example.com');
  server.failOnPush = (changes) => (changes.length > 0 ? 'sync.offline' : null);
  const { sessionId } = await startPractice(ask, 'text');
  const said = Array.from({ length: 12 }, (_, number) => `banana number ${number}`);
  for (const text of said) await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  await mailbox.signIn(laptop, 'ben@example.com');
  expect((await ask.history.list({ search: '', offset: 0, limit: 50 })).total).toBe(0);

  inDatabase(laptop.dataDir, (sqlite) =>
    sqlite.exec(`CREATE TABLE computed (at INTEGER);
      CREATE TRIGGER note_computed AFTER UPDATE OF entire_conversation ON practice_history
        BEGIN INSERT INTO computed VALUES (0); END`),
  );
  await mailbox.signIn(laptop, 'ada@example.com');
  const { turns } = await ask.practice.session({ sessionId });
  expect(turns.filter(({ role }) => role === 'learner').map(({ text }) => text)).toEqual(said);
  const computed = inDatabase(laptop.dataDir, (sqlite) =>
    sqlite.prepare<[], number>('SELECT count(*) FROM computed').pluck().get(),
  );
  expect(computed).toBe(1);
});
