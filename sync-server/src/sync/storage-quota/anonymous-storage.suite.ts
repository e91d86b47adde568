/** Many accounts without an address cannot fill the server's disk. */
import { randomUUID } from 'node:crypto';
import type { Mutation } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { anEmail } from '../../../test-kit/mailbox.ts';
import {
  aPushRequest,
  type JsonResponse,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const LIMIT_BYTES = 100_000;
const FIELD_BYTES = 4_000;
const ATTACKER = '203.0.113.66';
const HOME = '198.51.100.7';

export function anonymousStorageSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  const start = async (limits: Parameters<typeof startServer>[1]): Promise<void> => {
    server = await startServer(await open(), limits);
  };
  afterEach(() => server.app.close());

  /** A turn about an opened section. */
  function someChanges(device: TestDevice): Mutation[] {
    const { userId } = device;
    const interactionId = randomUUID();
    const timestamp = server.now().toISOString();
    const details = { sessionId: null, practiceId: null, videoId: null, courseSectionId: null };
    return [
      device.change({
        table: 'user_course_interaction',
        rowId: interactionId,
        fields: { userId, courseId: null, interactionType: 'section_opened', timestamp, details },
      }),
      device.change({
        table: 'ai_conversations',
        rowId: randomUUID(),
        fields: { userId, interactionId, courseId: null, content: 'x'.repeat(FIELD_BYTES), role: 'learner' },
      }),
    ];
  }

  const push = (device: TestDevice, network: string, mutations: readonly object[]): Promise<JsonResponse> =>
    server.send({
      method: 'POST',
      url: '/v1/sync/push',
      remoteAddress: network,
      headers: { authorization: `Bearer ${device.token}` },
      payload: aPushRequest(server, device.deviceId, mutations),
    });
  const store = (device: TestDevice, network: string): Promise<JsonResponse> =>
    push(device, network, someChanges(device));

  /** One new account after another stores a little. Returns how many bytes were accepted. */
  async function flood(nthNetwork: (n: number) => string): Promise<number> {
    let acceptedBytes = 0;
    for (let count = 0; count < (2 * LIMIT_BYTES) / FIELD_BYTES; count += 1) {
      const { status } = await store(await registerDevice(server), nthNetwork(count));
      if (status !== 200) break;
      acceptedBytes += FIELD_BYTES;
    }
    return acceptedBytes;
  }

  const refused = { status: 429, body: { code: 'request.too_many', data: { detail: 'anonymous_storage' } } };
  const giveAddress = ({ userId }: TestDevice): Promise<unknown> =>
    server.database.db.update(tables.users).set({ email: anEmail() }).where(eq(tables.users.userId, userId));

  describe('accounts without an address in one network', () => {
    beforeEach(() => start({ anonymousStorageLimits: { bytesPerNetworkAndDay: LIMIT_BYTES } }));

    it.each([
      ['address', () => ATTACKER],
      ['IPv6 site', (n: number) => `2001:db8:1:${n.toString(16)}::1`],
    ])('store only so much in a day from one %s', async (_what, nthNetwork) => {
      expect(await flood(nthNetwork)).toBeLessThanOrEqual(LIMIT_BYTES);
      expect(await store(await registerDevice(server), HOME)).toMatchObject({ status: 200 });
    });

    it('send the same changes again the next day, and lose nothing', async () => {
      const learner = await registerDevice(server);
      await flood(() => ATTACKER);
      const changes = someChanges(learner);
      expect(await push(learner, ATTACKER, changes)).toMatchObject(refused);
      server.advanceClock(DAY_MS);
      const applied = { status: 'applied' };
      expect(await push(learner, ATTACKER, changes)).toMatchObject({ body: { outcomes: [applied, applied] } });
    });

    it('can still delete, and read', async () => {
      const learner = await registerDevice(server);
      const kept = someChanges(learner);
      await push(learner, ATTACKER, kept);
      await flood(() => ATTACKER);
      const deletions = kept.map(({ table, rowId }) => learner.change({ table, rowId, op: 'delete', fields: {} }));
      expect(await push(learner, ATTACKER, deletions)).toMatchObject({ status: 200 });
      expect((await learner.stream()).hasEnded).toBe(true);
    });

    it('do not keep an account with an address from storing', async () => {
      const learner = await registerDevice(server);
      await flood(() => ATTACKER);
      const changes = someChanges(learner);
      expect(await push(learner, ATTACKER, changes)).toMatchObject(refused);
      await giveAddress(learner);
      expect(await push(learner, ATTACKER, changes)).toMatchObject({ status: 200 });
    });
  });

  it('accounts without an address in all networks store only so much together, which is logged', async () => {
    await start({ anonymousStorageLimits: { totalBytes: 1 }, logLevel: 'warn' });
    const [learner, other] = [await registerDevice(server), await registerDevice(server)];
    await giveAddress(other);
    expect(await store(learner, HOME)).toMatchObject({ status: 200 });
    server.advanceClock(11 * MINUTE_MS);
    // The total is read in the background.
    const ask = learner.change({ table: 'users', rowId: learner.userId, fields: { firstName: 'Ana' } });
    await expect.poll(() => push(learner, HOME, [ask])).toMatchObject(refused);
    expect(server.log()).toContain('anonymous_storage_full');
    expect(await store(other, HOME)).toMatchObject({ status: 200 });
  });
}
