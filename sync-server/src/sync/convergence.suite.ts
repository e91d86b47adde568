import { randomUUID } from 'node:crypto';
import type { Mutation } from '@parley/contract';
import { COMMUNICATION_STYLES, nextHybridTime, PRACTICE_DIFFICULTIES } from '@parley/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { type CatalogueIds, catalogueIds, pushSession, sessionFields } from '../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';
import { LocalCopy } from '../../test-kit/sync/sync-stream.ts';

const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_118);

/** A device's copy of the rows in the pages that it has applied so far. */
class Replica {
  readonly copy = new LocalCopy();
  readonly device: TestDevice;
  /** The time of its last edit. */
  lastAt: string | null = null;

  constructor(device: TestDevice) {
    this.device = device;
  }

  /** Applies some pages of a stream that is then cut off. */
  async pullPages(count: number): Promise<void> {
    const { pages } = await this.device.stream(this.copy.cursors);
    this.copy.apply(pages.slice(0, count));
  }

  async pullAll(): Promise<void> {
    const { pages, hasEnded } = await this.device.stream(this.copy.cursors);
    expect(hasEnded).toBe(true);
    this.copy.apply(pages);
  }

  edit(change: Parameters<TestDevice['change']>[0], ms: number): Mutation {
    this.lastAt = nextHybridTime(this.lastAt, { ms, deviceId: this.device.deviceId });
    return this.device.change({ ...change, at: this.lastAt });
  }
}

const rowCount = 2;
const device = fc.constantFrom(0, 1);
const row = fc.nat({ max: rowCount - 1 });
/** Clocks are close together, so that edits conflict. */
const skewMs = fc.integer({ min: 0, max: 20 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('edit' as const),
      device,
      row,
      fields: fc.oneof(
        fc.record({ difficulty: fc.constantFrom(...PRACTICE_DIFFICULTIES) }),
        fc.record({ communicationStyle: fc.constantFrom(...COMMUNICATION_STYLES) }),
      ),
      skewMs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), device, row, skewMs }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('interact' as const), device, row }) },
  {
    weight: 2,
    // A lost response leaves the outbox unchanged, so the same changes are sent again.
    arbitrary: fc.record({
      act: fc.constant('push' as const),
      device,
      count: fc.integer({ min: 1, max: 6 }),
      isAnswerLost: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('pull' as const), device, pages: fc.integer({ min: 1, max: 2 }) }),
  },
);

/** The whole last-writer-wins rule: changes are applied in the order of their times, and a device's own in the order it made them. */
function replay(arrived: readonly Mutation[]): Map<string, Record<string, unknown> & { deleted: boolean }> {
  const rows = new Map<string, Record<string, unknown> & { deleted: boolean }>();
  for (const { rowId, op, fields } of arrived.toSorted((a, b) => (a.at < b.at ? -1 : 1)))
    rows.set(rowId, { ...rows.get(rowId), ...fields, deleted: op === 'delete' });
  return rows;
}

export function convergenceSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let ids: CatalogueIds;
  beforeAll(async () => {
    server = await startServer(await open(), { withCatalogue: true });
    ids = await catalogueIds(await registerDevice(server));
  });
  afterAll(() => server.close());

  describe('two devices', () => {
    it('converge to the model’s result after any order of edits, pushes and pulls', { tags: ['slow'] }, async () => {
      const story = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
        const nowMs = server.now().getTime();
        const first = await registerDevice(server);
        const rowIds: string[] = [];
        const arrived: Mutation[] = [];
        for (let made = 0; made < rowCount; made += 1) {
          const { rowId, change } = await pushSession(server, first, ids);
          rowIds.push(rowId);
          arrived.push(change);
        }
        const interactionIds = rowIds.map(() => randomUUID());
        const firstInteraction = new Map<string, unknown>();
        const replicas = [new Replica(first), new Replica(await joinDevice(server, first))];
        const outboxes: Mutation[][] = [[], []];

        const push = async (which: number, count: number, isAnswerLost: boolean): Promise<void> => {
          const sent = outboxes[which]?.slice(0, count) ?? [];
          const pushed = await replicas[which]?.device.push(...sent);
          for (const [index, change] of sent.entries()) {
            const outcome = pushed?.outcomes[index];
            expect(outcome).toMatchObject({ id: change.id, status: expect.stringMatching(/applied|merged|duplicate/) });
            if (outcome?.status === 'duplicate') continue;
            if (change.table === 'practice_history') arrived.push(change);
            else if (!firstInteraction.has(change.rowId))
              firstInteraction.set(change.rowId, change.fields['interactionType']);
          }
          if (!isAnswerLost) outboxes[which]?.splice(0, count);
        };

        for (const taken of steps) {
          const replica = replicas[taken.device];
          const outbox = outboxes[taken.device];
          if (replica === undefined || outbox === undefined) continue;
          const sessionId = 'row' in taken ? (rowIds[taken.row] ?? '') : '';
          switch (taken.act) {
            case 'edit': {
              const change = { table: 'practice_history', rowId: sessionId, fields: taken.fields };
              outbox.push(replica.edit(change, nowMs + taken.skewMs));
              break;
            }
            case 'delete': {
              const change = { table: 'practice_history', rowId: sessionId, op: 'delete' as const };
              outbox.push(replica.edit(change, nowMs + taken.skewMs));
              break;
            }
            case 'interact': {
              const fields = {
                userId: first.userId,
                courseId: null,
                interactionType: taken.device === 0 ? 'practice' : 'video',
                timestamp: '2026-11-18T10:00:00.000Z',
                details: { sessionId, practiceId: null, videoId: null, courseSectionId: null },
              };
              const rowId = interactionIds[taken.row] ?? '';
              outbox.push(replica.device.change({ table: 'user_course_interaction', rowId, fields }));
              break;
            }
            case 'push':
              await push(taken.device, taken.count, taken.isAnswerLost);
              break;
            case 'pull':
              await replica.pullPages(taken.pages);
              break;
          }
        }
        for (const which of [1, 0]) await push(which, 500, false);
        for (const replica of replicas) await replica.pullAll();

        const fresh = new Replica(first);
        await fresh.pullAll();
        expect(replicas[0]?.copy.sorted()).toEqual(fresh.copy.sorted());
        expect(replicas[1]?.copy.sorted()).toEqual(fresh.copy.sorted());
        for (const [rowId, { deleted, ...fields }] of replay(arrived)) {
          const kept = fresh.copy.rows.get(`practice_history ${rowId}`)?.fields;
          expect(kept).toMatchObject(fields);
          expect(kept?.['deletedAt'] !== null).toBe(deleted);
        }
        const interactions = [...fresh.copy.rows.values()].filter(({ table }) => table === 'user_course_interaction');
        expect(new Map(interactions.map(({ fields }) => [fields['interactionId'], fields['interactionType']]))).toEqual(
          firstInteraction,
        );
      };
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), story), {
        numRuns: 20,
        seed: SEED,
        // Shrinking stops early enough to report its result.
        interruptAfterTimeLimit: 20_000,
      });
    });

    it('lose nothing for a third that pulls while both push', async () => {
      const first = await registerDevice(server);
      const writers = [first, await joinDevice(server, first)];
      const reader = new Replica(await joinDevice(server, first));
      let isWriting = true;
      const write = async (writer: TestDevice): Promise<void> => {
        for (let turn = 0; turn < 12; turn += 1) await pushSession(server, writer, ids, `turn ${turn}`);
      };
      const read = async (): Promise<void> => {
        while (isWriting) await reader.pullPages(1);
      };
      const reading = read();
      await Promise.all(writers.map(write));
      isWriting = false;
      await reading;
      await reader.pullAll();
      const fresh = new Replica(first);
      await fresh.pullAll();
      expect([...fresh.copy.rows.values()].filter(({ table }) => table === 'practice_history')).toHaveLength(24);
      expect(reader.copy.sorted()).toEqual(fresh.copy.sorted());
    });

    it('apply a change once although it arrives five times at once', async () => {
      const first = await registerDevice(server);
      const change = first.change({
        table: 'practice_history',
        rowId: randomUUID(),
        fields: sessionFields(ids, first.userId),
      });
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => first.push(change)));
      const statuses = answers.map(({ outcomes }) => outcomes[0]?.status).toSorted();
      expect(statuses).toEqual(['applied', 'duplicate', 'duplicate', 'duplicate', 'duplicate']);
    });
  });
}
