import { randomUUID } from 'node:crypto';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { StreamRequest } from '@parley/contract';
import { LearnerId } from '@parley/domain';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { fillHistory, fillInteractions } from '../../../test-kit/sync/seed-history.ts';
import { pushSession, sessionFields } from '../../../test-kit/sync/rows.ts';
import { registerDevice } from '../../../test-kit/server.ts';
import {
  INITIAL_CURSORS,
  parseSyncStream,
  rowsOf,
  LocalCopy,
  type SyncedRow,
} from '../../../test-kit/sync/sync-stream.ts';
import { PAGE_BYTES } from './pages.ts';
import { parseStreamRequest } from '../parse-request.ts';
import { createPrefetchLimiter } from './prefetch-limiter.ts';
import { openStream } from './stream.ts';

const PAGE_ROWS = 2_000;
/** A session's other fields and JSON overhead. */
const BESIDE_CONTENT_BYTES = 4_096;

export function streamSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);
  beforeAll(async () => {
    await fillHistory(home.server, home.laptop, { ids: home.ids, sessions: 12 });
  });

  const request = (asked: Partial<StreamRequest> = {}): StreamRequest => ({
    protocol: 3,
    deviceId: home.phone.deviceId,
    epoch: null,
    cursors: INITIAL_CURSORS,
    answeredSeq: 0,
    ...asked,
  });
  const fieldsOf = (rows: readonly SyncedRow[], table: string): string[] =>
    Object.keys(rows.find((row) => row.table === table)?.fields ?? {});
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    home.server.app.inject({
      method: 'POST',
      url: '/v1/sync/stream',
      headers: { authorization: `Bearer ${home.phone.token}`, ...headers },
      payload: body as object,
    });

  describe('a first stream', () => {
    it('delivers each row once: the catalogue, then the learner’s newest rows first', async () => {
      const { pages, hasEnded } = await home.phone.stream();
      expect(hasEnded).toBe(true);
      expect(pages.length).toBeGreaterThan(3);
      const keys = pages.flatMap(rowsOf).map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      const catalogue = new Set(['practices', 'courses', 'ai_agent_profiles', 'videos']);
      const all = pages.map((page) => rowsOf(page));
      const own = all.filter((rows) => rows.some(({ fields }) => 'userId' in fields));
      const first = all.slice(0, all.length - own.length).flat();
      expect([...catalogue].filter((table) => first.some((row) => row.table === table))).not.toEqual([]);
      expect(first.every(({ fields }) => !('userId' in fields))).toBe(true);
      const ranges = own
        .map((rows) => rows.map(({ version }) => version))
        .map((versions) => ({ newest: Math.max(...versions), oldest: Math.min(...versions) }));
      for (const [index, { newest }] of ranges.entries())
        if (index > 0) expect(newest).toBeLessThan(ranges[index - 1]?.oldest ?? 0);
      expect(pages.at(-1)?.next.older).toBeNull();
    });

    it('delivers the same rows in both protocols, with clocks or with projections', async () => {
      const ours = new LocalCopy().apply((await home.phone.stream()).pages).sorted();
      const theirs = new LocalCopy().apply((await home.phone.streamV2()).pages).sorted();
      expect(theirs.map(({ key, version }) => `${key} ${version}`)).toEqual(
        ours.map(({ key, version }) => `${key} ${version}`),
      );
      const sessions = { ours: fieldsOf(ours, 'practice_history'), theirs: fieldsOf(theirs, 'practice_history') };
      expect(sessions.ours).not.toContain('entireConversation');
      expect(sessions.ours.at(-1)).toBe('fieldClocks');
      expect(sessions.theirs).toContain('entireConversation');
      expect(sessions.theirs).not.toContain('fieldClocks');
      expect(fieldsOf(ours, 'ai_conversations')).toContain('previousTurnId');
      expect(fieldsOf(theirs, 'ai_conversations')).not.toContain('previousTurnId');
      expect(fieldsOf(ours, 'practices')).not.toContain('fieldClocks');
    });

    it('contains no rows of other learners', async () => {
      const { server, laptop, phone, stranger, ids } = home;
      const { rowId } = await pushSession(server, stranger, ids);
      const streamed = new LocalCopy().apply((await phone.stream()).pages);
      expect(streamed.rows.has(`practice_history ${rowId}`)).toBe(false);
      expect((await phone.stream()).pages.every(({ userId }) => userId === laptop.userId)).toBe(true);
    });

    it('includes changes made since it began', async () => {
      const { server, laptop, phone, ids } = home;
      const device = { userId: LearnerId.parse(phone.userId), deviceId: request().deviceId };
      const parts = { db: server.database.db, now: server.now, onEpochChanged: () => undefined };
      const lines = await openStream(
        { ...parts, readAhead: createPrefetchLimiter() },
        device,
        parseStreamRequest(request()),
      );
      const copy = new LocalCopy();
      const begun = await lines.next();
      copy.apply(parseSyncStream(String(begun.value)).pages);
      const { rowId } = await pushSession(server, laptop, ids, 'while the phone was reading');
      for await (const line of lines) copy.apply(parseSyncStream(line).pages);
      expect(copy.rows.has(`practice_history ${rowId}`)).toBe(true);
      expect(copy.sorted()).toEqual(new LocalCopy().apply((await phone.stream()).pages).sorted());
    });
  });

  describe('a page', () => {
    it('stays within its bytes and moves the cursors by whole versions', async () => {
      const { server, ids } = home;
      const device = await registerDevice(server);
      await pushSession(server, device, ids);
      const together = Array.from({ length: 6 }, () =>
        device.change({ table: 'practice_history', rowId: randomUUID(), fields: sessionFields(ids, device.userId) }),
      );
      const { userVersion } = await device.push(...together);
      await fillHistory(server, device, { ids, sessions: 4 });
      const lines = (await device.stream()).pages.slice(1);
      for (const page of lines)
        expect(JSON.stringify(page.tables).length).toBeLessThan(
          PAGE_BYTES + rowsOf(page).length * BESIDE_CONTENT_BYTES,
        );
      const holding = lines.filter((page) => rowsOf(page).some(({ version }) => version === userVersion));
      // A version larger than a line has arrived only once the last of its lines has.
      expect(holding.length).toBeGreaterThan(1);
      expect(holding.flatMap(rowsOf)).toHaveLength(2 * together.length);
      const reached = holding.map(({ next }) => next.older ?? 0);
      for (const older of reached.slice(0, -1)) expect(older).toBe(userVersion + 1);
      expect(reached.at(-1)).toBe(userVersion);
      const others = lines.filter((page) => !holding.includes(page)).map((page) => rowsOf(page));
      const versions = others.flatMap((rows) => [...new Set(rows.map(({ version }) => version))]);
      expect(new Set(versions).size).toBe(versions.length);
    });

    it('stays within its row limit', async () => {
      const device = await registerDevice(home.server);
      await fillInteractions(home.server, device, { count: 2 * PAGE_ROWS + 10 });
      const { pages } = await device.stream();
      expect(Math.max(...pages.map((page) => rowsOf(page).length))).toBeLessThanOrEqual(PAGE_ROWS);
      // The catalogue's pages are split by size.
      const own = pages.map((page) => rowsOf(page)).filter((rows) => rows.some(({ fields }) => 'userId' in fields));
      const counts = own.map((rows) => rows.length);
      // Pages grow, so that the first is shown while the next is read.
      expect(counts.slice(0, -1)).toEqual(counts.slice(0, -1).toSorted((a, b) => a - b));
      expect(Math.max(...counts)).toBeGreaterThan(PAGE_ROWS / 2);
      const interactions = pages.flatMap(rowsOf).filter(({ table }) => table === 'user_course_interaction');
      expect(new Set(interactions.map(({ key }) => key)).size).toBe(2 * PAGE_ROWS + 10);
    });
  });

  it.each([
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ])('is compressed with %s for clients that accept it', { tags: ['slow'] }, async (encoding, unpack) => {
    const plain = await ask(request(), { 'accept-encoding': 'identity' });
    const packed = await ask(request(), { 'accept-encoding': encoding });
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, 'content-type': 'application/x-ndjson' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(String(unpack(packed.rawPayload))).toBe(plain.payload);
    expect(packed.rawPayload.byteLength).toBeLessThan(plain.rawPayload.byteLength * 0.8);
  });

  describe('is refused before the first line', () => {
    const level = { catalogue: 1, user: 1, older: null };
    const refusals: [what: string, status: number, body: object, asked: () => unknown][] = [
      [
        'for another device',
        403,
        { code: 'auth.forbidden', data: { field: 'deviceId' } },
        () => request({ deviceId: home.laptop.deviceId }),
      ],
      [
        'to a device ahead of the server',
        410,
        { code: 'sync.resync', data: { detail: 'epoch' } },
        () => request({ cursors: { ...level, user: 1_000_000 } }),
      ],
      [
        'to a device with more confirmed changes than the server',
        410,
        { code: 'sync.resync', data: { detail: 'epoch' } },
        () => request({ cursors: level, answeredSeq: 1 }),
      ],
      ['in protocol 0', 400, { code: 'request.invalid' }, () => request({ protocol: 0 })],
      ['in protocol 1', 426, { code: 'sync.protocol_too_old' }, () => request({ protocol: 1 })],
      ['in protocol 4', 426, { code: 'sync.protocol_too_new' }, () => request({ protocol: 4 })],
      [
        'from an invalid cursor',
        400,
        { code: 'request.invalid', data: { field: 'cursors.user' } },
        () => ({ ...request(), cursors: { ...level, user: '0 or 1=1' } }),
      ],
      [
        'from a negative cursor',
        400,
        { code: 'request.invalid', data: { field: 'cursors.older' } },
        () => ({ ...request(), cursors: { ...level, older: -1 } }),
      ],
      ['with an unknown field', 400, { code: 'request.invalid' }, () => ({ ...request(), userId: home.laptop.userId })],
      ['with an empty body', 400, { code: 'request.invalid' }, () => ({})],
      ['with a list as the body', 400, { code: 'request.invalid' }, () => []],
    ];
    it.each(refusals)('%s', async (_what, status, body, asked) => {
      const answer = await ask(asked());
      expect(answer.statusCode).toBe(status);
      expect(answer.headers['content-type']).toContain('application/json');
      expect(JSON.parse(answer.payload)).toMatchObject(body);
    });

    it('without a token', async () => {
      const answer = await ask(request(), { authorization: '' });
      expect([answer.statusCode, JSON.parse(answer.payload)]).toMatchObject([401, { code: 'auth.required' }]);
    });
  });
}
