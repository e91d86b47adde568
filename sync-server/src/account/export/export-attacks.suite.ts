import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../compose/app-options.ts';
import type { DatabaseConnection } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { anEmail } from '../../../test-kit/mailbox.ts';
import { type CatalogueIds, catalogueIds, pushSession } from '../../../test-kit/sync/rows.ts';
import { interactionChange } from '../../../test-kit/sync/turns.ts';
import {
  confirmDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

/** More than the buffers at both ends of a connection hold. */
const TURNS = 120;
const ASSESSMENT_BYTES = 390_000;
const PIECE_TIMEOUT_MS = 1_500;
const MINIMUM_PACE = { bytes: 4 * 1_048_576, periodMs: 2_000 };
/** The amount that a slow reader reads at once. The buffers of a connection pass it on in steps. */
const READER_BYTES = 65_536;
const READER_EVERY_MS = 100;

type ExportLimits = Pick<AppOptions, 'streamLineTimeoutMs' | 'minimumExportPace'>;

function setUpExports(open: () => Promise<DatabaseConnection>, limits: ExportLimits) {
  let server: TestServer;
  let address: string;
  let ids: CatalogueIds;
  beforeAll(async () => {
    server = await startServer(await open(), { withCatalogue: true, ...limits });
    address = await server.listen();
    ids = await catalogueIds(await registerDevice(server));
  });
  afterAll(() => server.close());

  const setAddress = ({ userId }: TestDevice, email: string | null) =>
    server.database.db.update(tables.users).set({ email }).where(eq(tables.users.userId, userId));
  /** A learner whose one session has very large turns, as a server before the limit accepted them. */
  const aLargeAccount = async (): Promise<TestDevice> => {
    const device = await registerDevice(server);
    await setAddress(device, anEmail());
    await confirmDevice(server, device);
    const { rowId: sessionId } = await pushSession(server, device, ids);
    const interaction = interactionChange(server, device, sessionId);
    await device.push(interaction);
    await server.database.db.execute(sql`
      insert into ai_conversations (conversation_id, interaction_id, user_id, content, role, session_id, said_at,
        assessment, created_at, updated_at, sync_version)
      select gen_random_uuid(), ${interaction.rowId}, ${device.userId}, 'turn ' || nr, 'learner', ${sessionId},
        now() + nr * interval '1 second', jsonb_build_object('sounds', repeat('A', ${ASSESSMENT_BYTES})), now(), now(), 1
      from generate_series(1, ${TURNS}) as nr`);
    return device;
  };
  const ask = ({ token }: TestDevice, method = 'GET'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' };
      get(`${address}/v1/account/export`, { method, headers, agent: false }, (response) => {
        // A reader that disconnects also gets an error on its response.
        response.on('error', () => undefined);
        resolve(response);
      }).on('error', reject);
    });
  const statusOf = async (device: TestDevice): Promise<number | undefined> => {
    const response = await ask(device);
    response.destroy();
    return response.statusCode;
  };
  return { server: () => server, setAddress, aLargeAccount, ask, statusOf };
}

/** Runs accounts that ask for very large exports, or for many at once, and do not read them. */
export function exportAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  describe('an export', () => {
    const { server, setAddress, aLargeAccount, ask, statusOf } = setUpExports(open, {
      streamLineTimeoutMs: PIECE_TIMEOUT_MS,
    });

    it('has each turn once with its assessment, and its session with the texts alone', async () => {
      const device = await aLargeAccount();
      let [longestMs, lastMs] = [0, performance.now()];
      const timer = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - lastMs);
        lastMs = performance.now();
      }, 5);
      const exported = (await json(await ask(device))) as Record<string, Record<string, unknown>[]>;
      clearInterval(timer);
      expect(exported['ai_conversations']).toHaveLength(TURNS);
      const [session] = exported['practice_history'] ?? [];
      const conversation = session?.['entireConversation'] as { text: string }[] | undefined;
      const texts = conversation?.map(({ text }) => text);
      expect(texts).toEqual(Array.from({ length: TURNS }, (_, nr) => `turn ${nr + 1}`));
      expect(JSON.stringify(session).length).toBeLessThan(TURNS * 1_000);
      // This includes parsing the whole file, which the test does in the same process.
      expect(longestMs).toBeLessThan(2_000);
    });

    it('is not computed for HEAD', async () => {
      const device = await registerDevice(server());
      for (const path of ['/v1/account/export', '/account/export.json', '/account/export.zip']) {
        const headers = { authorization: `Bearer ${device.token}` };
        expect((await server().app.inject({ method: 'HEAD', url: path, headers })).statusCode, path).toBe(404);
      }
    });

    it('runs once for an account at a time, and ends when its reader goes away', async () => {
      const device = await aLargeAccount();
      const first = await ask(device);
      first.pause();
      const second = await ask(device);
      expect(second.statusCode).toBe(429);
      expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
      second.resume();
      first.destroy();
      await expect.poll(() => statusOf(device)).toBe(200);
    });

    it('runs a few times for a network at a time, and ends when it is not read', async () => {
      const devices = [];
      for (let count = 0; count < 5; count += 1) devices.push(await aLargeAccount());
      const responses = await Promise.all(devices.map((device) => ask(device)));
      for (const response of responses) response.pause();
      expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(4);
      // The four exports are aborted, although their connections are open.
      const waiting = devices[responses.findIndex(({ statusCode }) => statusCode === 429)];
      if (waiting === undefined) throw new Error('none was refused');
      await expect.poll(() => statusOf(waiting), { interval: 200, timeout: 4 * PIECE_TIMEOUT_MS }).toBe(200);
      for (const response of responses) response.destroy();
    });

    it('of an account without an address leaves places to the others', async () => {
      const devices = [await aLargeAccount(), await aLargeAccount(), await aLargeAccount()];
      const [first, second, withAddress] = devices as [TestDevice, TestDevice, TestDevice];
      await setAddress(first, null);
      await setAddress(second, null);
      const open = await ask(first);
      open.pause();
      expect(open.statusCode).toBe(200);
      expect(await statusOf(second)).toBe(429);
      expect(await statusOf(withAddress)).toBe(200);
      open.destroy();
      await expect.poll(() => statusOf(second)).toBe(200);
    });
  });

  describe('an export whose reader has much time for each piece', () => {
    const { aLargeAccount, ask } = setUpExports(open, {
      streamLineTimeoutMs: 20 * PIECE_TIMEOUT_MS,
      minimumExportPace: MINIMUM_PACE,
    });

    it('ends when little is taken in all', { timeout: 60_000 }, async () => {
      const response = await ask(await aLargeAccount());
      expect(response.statusCode).toBe(200);
      let isOpen = true;
      let bytes = 0;
      response.once('close', () => (isOpen = false));
      response.pause();
      const timer = setInterval(() => {
        bytes += (response.read(READER_BYTES) as Buffer | null)?.byteLength ?? 0;
      }, READER_EVERY_MS);
      await expect.poll(() => isOpen, { interval: 100, timeout: 20 * PIECE_TIMEOUT_MS }).toBe(false);
      clearInterval(timer);
      expect(bytes).toBeLessThan(TURNS * ASSESSMENT_BYTES);
    });
  });
}
