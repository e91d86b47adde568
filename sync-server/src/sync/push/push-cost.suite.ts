import { randomUUID } from 'node:crypto';
import { type Mutation, MAX_MUTATIONS_PER_PUSH } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { rowOf, sessionFields } from '../../../test-kit/sync/rows.ts';
import { registerDevice, type TestDevice } from '../../../test-kit/server.ts';

const MOST_TIMES = 2;
const FEWEST_ROUNDS = 3;
const MOST_ROUNDS = 15;
/** The bad change is near the end of a full push, so a restart would discard the most work. */
const BAD_AT = MAX_MUTATIONS_PER_PUSH - 20;

export function pushCostSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  const session = (device: TestDevice, fields: object = {}): Mutation =>
    device.change({
      table: 'practice_history',
      rowId: randomUUID(),
      fields: { ...sessionFields(home.ids, device.userId), ...fields },
    });

  const enrolment = (device: TestDevice): Mutation =>
    device.change({
      table: 'enrollments',
      rowId: randomUUID(),
      fields: { userId: device.userId, courseId: home.ids.courseId, enrollmentDate: home.server.now().toISOString() },
    });

  const fullPush = (device: TestDevice, bad: ((device: TestDevice) => Mutation) | null): Mutation[] =>
    Array.from({ length: MAX_MUTATIONS_PER_PUSH }, (_, index) =>
      bad !== null && index === BAD_AT ? bad(device) : session(device),
    );

  /**
   * Compares the fastest push of each kind, which is least affected by other load; more rounds are measured while the
   * result looks slow.
   */
  async function compare(bad: (device: TestDevice) => Mutation, isV2 = false): Promise<number> {
    const [good, mixed] = await Promise.all([registerDevice(home.server), registerDevice(home.server)]);
    await mixed.push(enrolment(mixed));
    await good.push(enrolment(good));
    const timed = async (device: TestDevice, changes: Mutation[]): Promise<{ ms: number; rejected: number }> => {
      const startedMs = performance.now();
      const { outcomes } = await (isV2 ? device.pushV2(...changes) : device.push(...changes));
      const ms = performance.now() - startedMs;
      return { ms, rejected: outcomes.filter(({ status }) => status === 'rejected').length };
    };
    const times: { good: number[]; mixed: number[] } = { good: [], mixed: [] };
    const ratio = (): number => Math.min(...times.mixed) / Math.min(...times.good);
    for (let round = 0; round < MOST_ROUNDS && (round < FEWEST_ROUNDS || ratio() > MOST_TIMES); round += 1) {
      const one = await timed(good, fullPush(good, null));
      const other = await timed(mixed, fullPush(mixed, bad));
      expect([one.rejected, other.rejected]).toEqual([0, 1]);
      times.good.push(one.ms);
      times.mixed.push(other.ms);
    }
    return ratio();
  }

  describe('a push with one bad change', () => {
    it.each([
      ['an unknown practice', (device: TestDevice) => session(device, { practiceId: randomUUID() })],
      ['an unknown coach', (device: TestDevice) => session(device, { agentId: randomUUID() })],
      ['a second enrolment in a course', enrolment],
    ])('of the kind %s takes at most twice as long as a good push', { timeout: 120_000 }, async (_name, bad) => {
      expect(await compare(bad)).toBeLessThanOrEqual(MOST_TIMES);
    });

    it('of unstorable text in protocol 2 takes at most twice as long', { timeout: 120_000 }, async () => {
      const bad = (device: TestDevice): Mutation => session(device, { summary: 'nul \u0000' });
      expect(await compare(bad, true)).toBeLessThanOrEqual(MOST_TIMES);
    });

    it('keeps every other change', async () => {
      const device = await registerDevice(home.server);
      const changes = fullPush(device, (by) => session(by, { practiceId: randomUUID() }));
      const { outcomes } = await device.push(...changes);
      expect(outcomes[BAD_AT]).toEqual({
        id: changes[BAD_AT]?.id,
        status: 'rejected',
        code: 'missing_reference',
        field: null,
      });
      expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(MAX_MUTATIONS_PER_PUSH - 1);
      expect(await rowOf(device, changes[BAD_AT]?.rowId ?? '')).toBeUndefined();
      expect(await rowOf(device, changes.at(-1)?.rowId ?? '')).toBeDefined();
    });

    it('keeps every other change when only the database detects the bad one', async () => {
      await home.server.database.db.execute(
        sql`alter table practice_history add constraint for_the_test check (summary <> 'only the database rejects')`,
      );
      const device = await registerDevice(home.server);
      const bad = (): Mutation => session(device, { summary: 'only the database rejects' });
      const refused = { status: 'rejected', code: 'invalid_value', field: null };
      const applied = { status: 'applied' };
      const { outcomes } = await device.push(session(device), bad(), session(device), bad(), bad(), session(device));
      expect(outcomes).toMatchObject([applied, refused, applied, refused, refused, applied]);
    });
  });
}
