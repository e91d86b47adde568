import { randomUUID } from 'node:crypto';
import { TurnsLaterLine, type TurnsLaterPage, TurnsLine, type TurnsRequest } from '@parley/contract';
import { DeviceId } from '@parley/domain';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { renewScopeEpoch } from '../restore/epoch.ts';
import { pushSession, sessionFields } from '../../../test-kit/sync/rows.ts';
import { registerDevice } from '../../../test-kit/server.ts';
import { fillHistory, fillTurns } from '../../../test-kit/sync/seed-history.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { INITIAL_CURSORS, LocalCopy, rowsOf, type SyncedRow } from '../../../test-kit/sync/sync-stream.ts';

const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_127);
const SESSIONS = 9;

interface Lines<Line> {
  status: number;
  body: Record<string, unknown>;
  lines: Line[];
}

export function turnsLaterSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);
  let sessionIds: string[];
  beforeAll(async () => {
    sessionIds = await fillHistory(home.server, home.laptop, { ids: home.ids, sessions: SESSIONS });
  });

  async function ask<Line>(
    url: string,
    payload: object,
    parse: (line: unknown) => Line,
    { token } = home.phone,
  ): Promise<Lines<Line>> {
    const answer = await home.server.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${token}` },
      payload,
    });
    const texts = answer.payload.split('\n').filter((text) => text !== '');
    if (answer.statusCode !== 200)
      return { status: answer.statusCode, body: JSON.parse(answer.payload) as Record<string, unknown>, lines: [] };
    return { status: 200, body: {}, lines: texts.map((text) => parse(JSON.parse(text))) };
  }

  async function streamPages(cursors = INITIAL_CURSORS, device = home.phone): Promise<TurnsLaterPage[]> {
    const request = { protocol: 3, deviceId: device.deviceId, epoch: null, cursors, answeredSeq: 0 };
    const { lines } = await ask('/v1/sync/stream?turns=later', request, (line) => TurnsLaterLine.parse(line), device);
    return lines.filter((line) => line.type === 'page');
  }

  const askTurns = (request: Partial<TurnsRequest>): Promise<Lines<TurnsLine>> =>
    ask('/v1/sync/turns', { protocol: 3, deviceId: home.phone.deviceId, epoch: null, sessionIds, ...request }, (line) =>
      TurnsLine.parse(line),
    );

  const turnsOf = (copy: LocalCopy, sessionId: string): SyncedRow[] =>
    [...copy.rows.values()].filter(
      ({ table, fields }) => table === 'ai_conversations' && fields['sessionId'] === sessionId,
    );

  /** A copy that, like a device, knows the sessions whose turns are missing. */
  class PartialCopy extends LocalCopy {
    readonly missing = new Set<string>();

    store(pages: readonly TurnsLaterPage[]): this {
      for (const page of pages) {
        this.apply([page]);
        for (const { sessionId, count, versions } of page.turns ?? []) {
          const here = turnsOf(this, sessionId).filter(({ version }) => version <= page.next.user);
          const sum = here.reduce((total, { version }) => total + version, 0);
          if (here.length !== count || sum !== versions) this.missing.add(sessionId);
        }
      }
      return this;
    }

    /** Stores the first lines of a response. */
    storeTurns(lines: readonly TurnsLine[]): void {
      for (const line of lines) {
        if (line.type === 'end') return;
        for (const row of rowsOf({ ...line, type: 'page', next: this.cursors }))
          if (row.version >= (this.rows.get(row.key)?.version ?? 0)) this.rows.set(row.key, row);
        if (line.isLast) this.missing.delete(line.sessionId);
      }
    }
  }

  const whole = async (): Promise<SyncedRow[]> => new LocalCopy().apply((await home.phone.stream()).pages).sorted();

  describe('a stream whose turns come later', () => {
    it('leaves out the turns of sessions and names those sessions', async () => {
      const copy = new PartialCopy().store(await streamPages());
      const left = (await whole()).filter(({ key }) => !copy.rows.has(key));
      expect(left.length).toBe(SESSIONS);
      expect(left.every(({ table }) => table === 'ai_conversations')).toBe(true);
      expect([...copy.missing].toSorted()).toEqual(sessionIds.toSorted());
    });

    it('is much smaller than the whole stream', async () => {
      const bytes = JSON.stringify(await streamPages()).length;
      expect(bytes * 2).toBeLessThan(JSON.stringify((await home.phone.stream()).pages).length);
    });

    it('still brings new turns as they are written', async () => {
      const copy = new PartialCopy().store(await streamPages());
      const { rowId } = await pushSession(home.server, home.laptop, home.ids, 'new');
      await fillTurns(home.server, home.laptop);
      copy.store(await streamPages(copy.cursors));
      expect(turnsOf(copy, rowId).length).toBe(1);
      expect(copy.missing.has(rowId)).toBe(false);
    });

    it('counts turns only once all rows of a large version have come', async () => {
      const { server, ids } = home;
      const device = await registerDevice(server);
      await pushSession(server, device, ids);
      const { next } = (await streamPages(INITIAL_CURSORS, device)).at(-1) ?? { next: INITIAL_CURSORS };
      const together = Array.from({ length: 7 }, () =>
        device.change({ table: 'practice_history', rowId: randomUUID(), fields: sessionFields(ids, device.userId) }),
      );
      await device.push(...together);
      await fillTurns(server, device);
      const pages = await streamPages({ ...next, older: 1 }, device);
      expect(pages.length).toBeGreaterThan(2);
      const copy = new PartialCopy().store(pages);
      expect([...copy.missing]).toEqual([]);
    });

    it('ends with the same rows, wherever it is cut and whatever changes meanwhile', { tags: ['slow'] }, async () => {
      const step = fc.record({
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        act: fc.constantFrom('change', 'add', 'delete', 'nothing'),
        session: fc.nat({ max: SESSIONS - 1 }),
        fetches: fc.boolean(),
      });
      const begun = <Item>(items: readonly Item[], share: number): Item[] =>
        items.slice(0, Math.round(share * items.length));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
          const copy = new PartialCopy();
          for (const { share, act, session, fetches } of steps) {
            copy.store(begun(await streamPages(copy.cursors), share));
            home.server.advanceClock(10);
            const change = { table: 'practice_history', rowId: sessionIds[session] ?? '' };
            if (act === 'add') {
              await pushSession(home.server, home.laptop, home.ids, 'added at a cut');
              await fillTurns(home.server, home.laptop);
            } else if (act === 'delete') await home.laptop.push(home.laptop.change({ ...change, op: 'delete' }));
            else if (act === 'change')
              await home.laptop.push(home.laptop.change({ ...change, fields: { summary: `changed at ${share}` } }));
            const missing = [...copy.missing].slice(0, 50);
            if (fetches && missing.length > 0)
              copy.storeTurns(begun((await askTurns({ sessionIds: missing })).lines, share));
          }
          copy.store(await streamPages(copy.cursors));
          while (copy.missing.size > 0)
            copy.storeTurns((await askTurns({ sessionIds: [...copy.missing].slice(0, 50) })).lines);
          expect(copy.sorted()).toEqual(await whole());
        }),
        { numRuns: 6, seed: SEED, endOnFailure: true },
      );
    });
  });

  describe('a request for turns', () => {
    it('is answered session by session, in the order of the request', async () => {
      const { lines } = await askTurns({});
      const complete = lines.flatMap((line) => (line.type === 'turns' && line.isLast ? [line.sessionId] : []));
      expect(complete).toEqual(sessionIds);
      expect(lines.at(-1)?.type).toBe('end');
    });

    it('is answered once for a session that is named twice', async () => {
      const [sessionId = ''] = sessionIds;
      const { lines } = await askTurns({ sessionIds: [sessionId, sessionId.toUpperCase(), sessionId] });
      expect(lines.filter((line) => line.type === 'turns' && line.isLast)).toHaveLength(1);
    });

    it('reports that a missing session, or another learner’s, has none', async () => {
      const { rowId } = await pushSession(home.server, home.stranger, home.ids);
      await fillTurns(home.server, home.stranger);
      const { lines } = await askTurns({ sessionIds: [rowId, randomUUID()] });
      expect(lines.map((line) => (line.type === 'turns' ? [line.tables, line.isLast] : line.type))).toEqual([
        [[], true],
        [[], true],
        'end',
      ]);
    });

    it.each([
      ['in protocol 2', { protocol: 2 }, 426, 'sync.protocol_too_old'],
      ['in protocol 4', { protocol: 4 }, 426, 'sync.protocol_too_new'],
      ['for no session', { sessionIds: [] }, 400, 'request.invalid'],
      ['for too many sessions', { sessionIds: Array.from({ length: 51 }, () => randomUUID()) }, 400, 'request.invalid'],
      ['in another epoch', { epoch: 'another' }, 410, 'sync.resync'],
    ])('is refused %s', async (_what, request, status, code) => {
      const answer = await askTurns(request);
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
    });

    it('is refused for another device', async () => {
      const { status } = await askTurns({ deviceId: DeviceId.parse(home.laptop.deviceId) });
      expect(status).toBe(403);
    });

    it('makes a device of an earlier epoch start again', async () => {
      const { epoch } = await home.phone.stream();
      await renewScopeEpoch(home.server.database.db, home.phone.userId);
      const { status, body } = await askTurns({ epoch });
      expect([status, body]).toMatchObject([410, { code: 'sync.resync', data: { detail: 'epoch' } }]);
    });
  });
}
