import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { type CatalogueIds, catalogueIds, pushSession, pushTurn } from '../test-kit/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';
import { StreamedCopy } from '../test-kit/streamed.ts';
import { purgeTombstones } from './purge.ts';

const DAY_MS = 24 * 3_600_000;
const KEPT_DAYS = 180;

export function purgeSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let ids: CatalogueIds;
  let laptop: TestDevice;
  let phone: TestDevice;
  beforeAll(async () => {
    server = await startServer(await open(), { withCatalogue: true });
    ids = await catalogueIds(await registerDevice(server));
  });
  beforeEach(async () => {
    laptop = await registerDevice(server);
    phone = await joinDevice(server, laptop);
  });
  afterAll(() => server.close());

  const purge = () => purgeTombstones({ db: server.database.db, now: server.now });
  const passDays = (days: number): void => server.pass(days * DAY_MS);
  const remove = (table: string, rowId: string) => laptop.push(laptop.change({ table, rowId, op: 'delete' }));
  const deleteSession = async () => {
    const { rowId } = await pushSession(server, laptop, ids);
    server.pass(1);
    return { rowId, deleted: await remove('practice_history', rowId) };
  };
  const has = async (rowId: string): Promise<boolean> =>
    (await laptop.pull()).some(({ fields }) => Object.values(fields).includes(rowId));

  it('forgets a deletion after half a year, and not a day before', async () => {
    const { rowId } = await deleteSession();
    passDays(KEPT_DAYS - 1);
    const younger = await deleteSession();
    await purge();
    expect(await has(rowId)).toBe(true);
    // The younger one took the millisecond that is missing here.
    server.pass(DAY_MS - 1);
    expect(await purge()).toBe(0);
    server.pass(1);
    expect(await purge()).toBe(1);
    expect(await has(rowId)).toBe(false);
    expect(await has(younger.rowId)).toBe(true);
    expect(await purge()).toBe(0);
  });

  it('never forgets what was not deleted, however old it is', async () => {
    const { rowId } = await pushSession(server, laptop, ids);
    passDays(10 * KEPT_DAYS);
    await purge();
    expect(await has(rowId)).toBe(true);
  });

  it('counts from the last deletion of a row that came back in between', async () => {
    const { rowId } = await deleteSession();
    passDays(KEPT_DAYS / 2);
    await laptop.push(laptop.change({ table: 'practice_history', rowId, fields: { summary: 'back' } }));
    server.pass(1);
    await remove('practice_history', rowId);
    passDays(KEPT_DAYS / 2 + 1);
    await purge();
    expect(await has(rowId)).toBe(true);
    passDays(KEPT_DAYS / 2);
    await purge();
    expect(await has(rowId)).toBe(false);
  });

  it('keeps a deleted row to which others still refer, until they go too', async () => {
    const { interactionId, turnId } = await pushTurn(server, laptop);
    server.pass(1);
    await remove('user_course_interaction', interactionId);
    passDays(KEPT_DAYS + 1);
    await purge();
    expect(await has(interactionId)).toBe(true);
    // Nothing was forgotten: nobody begins again for it.
    await expect(phone.pull({ user: 1 })).resolves.not.toEqual([]);
    await remove('ai_conversations', turnId);
    passDays(KEPT_DAYS + 1);
    expect(await purge()).toBe(2);
    expect(await has(interactionId)).toBe(false);
  });

  it('lets a device that had come as far go on, and one that had not begin again', async () => {
    const behind = new StreamedCopy().take((await phone.stream()).pages);
    const { deleted } = await deleteSession();
    const level = new StreamedCopy().take((await laptop.stream()).pages);
    expect(level.cursors.user).toBe(deleted.userVersion);
    passDays(KEPT_DAYS + 1);
    await purge();
    const { rowId } = await pushSession(server, laptop, ids, 'after the purge');
    const next = await laptop.stream(level.cursors);
    expect(next.hasEnded).toBe(true);
    expect(new StreamedCopy().take(next.pages).sorted()).toMatchObject([{ fields: { id: rowId } }]);
    await expect(phone.stream(behind.cursors)).rejects.toThrow(/410.*sync\.resync.*purged/);
    // From nothing it gets what is there, and is level from then on.
    const again = new StreamedCopy().take((await phone.stream()).pages);
    expect(again.rows.get(`practice_history ${rowId}`)).toBeDefined();
    expect((await phone.stream(again.cursors)).pages).toEqual([]);
  });

  it('moves only the floor of the learner whose deletions went', async () => {
    const stranger = await registerDevice(server);
    await pushSession(server, stranger, ids);
    const before = new StreamedCopy().take((await stranger.stream()).pages);
    await pushSession(server, stranger, ids);
    await deleteSession();
    await deleteSession();
    passDays(KEPT_DAYS + 1);
    await purge();
    await expect(stranger.stream(before.cursors)).resolves.toMatchObject({ hasEnded: true });
  });

  it('is told to a device of protocol 2 too', async () => {
    await deleteSession();
    passDays(KEPT_DAYS + 1);
    await purge();
    await expect(phone.pullV2({ user: 1 })).rejects.toThrow(/410.*sync\.resync.*purged/);
    await expect(phone.pullV2()).resolves.not.toEqual([]);
  });
}
