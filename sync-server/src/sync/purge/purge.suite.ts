import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { type CatalogueIds, catalogueIds, pushSession, pushTurn } from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import { aLearnerTurn, interactionChange, turnChange } from '../../../test-kit/sync/turns.ts';
import { LocalCopy } from '../../../test-kit/sync/sync-stream.ts';
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
  const passDays = (days: number): void => server.advanceClock(days * DAY_MS);
  const remove = (table: string, rowId: string) => laptop.push(laptop.change({ table, rowId, op: 'delete' }));
  const deleteSession = async () => {
    const { rowId } = await pushSession(server, laptop, ids);
    server.advanceClock(1);
    return { rowId, deleted: await remove('practice_history', rowId) };
  };
  const has = async (rowId: string): Promise<boolean> =>
    (await laptop.pull()).some(({ fields }) => Object.values(fields).includes(rowId));

  it('purges a deletion after half a year, and not a day earlier', async () => {
    const { rowId } = await deleteSession();
    passDays(KEPT_DAYS - 1);
    const younger = await deleteSession();
    await purge();
    expect(await has(rowId)).toBe(true);
    // The younger deletion is one millisecond later.
    server.advanceClock(DAY_MS - 1);
    expect(await purge()).toBe(0);
    server.advanceClock(1);
    expect(await purge()).toBe(1);
    expect(await has(rowId)).toBe(false);
    expect(await has(younger.rowId)).toBe(true);
    expect(await purge()).toBe(0);
  });

  it('never purges live rows, however old', async () => {
    const { rowId } = await pushSession(server, laptop, ids);
    passDays(10 * KEPT_DAYS);
    await purge();
    expect(await has(rowId)).toBe(true);
  });

  it('counts from the last deletion of a row that was revived', async () => {
    const { rowId } = await deleteSession();
    passDays(KEPT_DAYS / 2);
    await laptop.push(laptop.change({ table: 'practice_history', rowId, fields: { summary: 'back' } }));
    server.advanceClock(1);
    await remove('practice_history', rowId);
    passDays(KEPT_DAYS / 2 + 1);
    await purge();
    expect(await has(rowId)).toBe(true);
    passDays(KEPT_DAYS / 2);
    await purge();
    expect(await has(rowId)).toBe(false);
  });

  it('keeps a deleted row while other rows still reference it', async () => {
    const { interactionId, turnId } = await pushTurn(server, laptop);
    server.advanceClock(1);
    await remove('user_course_interaction', interactionId);
    passDays(KEPT_DAYS + 1);
    await purge();
    expect(await has(interactionId)).toBe(true);
    // Nothing was purged, so no device has to start again.
    await expect(phone.pull({ user: 1 })).resolves.not.toEqual([]);
    await remove('ai_conversations', turnId);
    passDays(KEPT_DAYS + 1);
    expect(await purge()).toBe(2);
    expect(await has(interactionId)).toBe(false);
  });

  it('purges a session together with its turns', async () => {
    const { rowId: sessionId } = await pushSession(server, laptop, ids);
    const interaction = interactionChange(server, laptop, sessionId);
    const turn = aLearnerTurn();
    const at = { sessionId, interactionId: interaction.rowId, previousTurnId: null };
    await laptop.push(interaction, turnChange(laptop, turn, at));
    server.advanceClock(1);
    await remove('practice_history', sessionId);
    passDays(KEPT_DAYS + 1);
    expect(await purge()).toBe(2);
    expect([await has(sessionId), await has(turn.turnId), await has(interaction.rowId)]).toEqual([false, false, true]);
  });

  it('lets an up-to-date device continue and makes an older one start again', async () => {
    const behind = new LocalCopy().apply((await phone.stream()).pages);
    const { deleted } = await deleteSession();
    const level = new LocalCopy().apply((await laptop.stream()).pages);
    expect(level.cursors.user).toBe(deleted.userVersion);
    passDays(KEPT_DAYS + 1);
    await purge();
    const { rowId } = await pushSession(server, laptop, ids, 'after the purge');
    const next = await laptop.stream(level.cursors);
    expect(next.hasEnded).toBe(true);
    expect(new LocalCopy().apply(next.pages).sorted()).toMatchObject([{ fields: { id: rowId } }]);
    await expect(phone.stream(behind.cursors)).rejects.toThrow(/410.*sync\.resync.*purged/);
    // Starting from nothing, it receives the existing rows and is up to date afterwards.
    const again = new LocalCopy().apply((await phone.stream()).pages);
    expect(again.rows.get(`practice_history ${rowId}`)).toBeDefined();
    expect((await phone.stream(again.cursors)).pages).toEqual([]);
  });

  it('moves the floor only of the affected learner', async () => {
    const stranger = await registerDevice(server);
    await pushSession(server, stranger, ids);
    const before = new LocalCopy().apply((await stranger.stream()).pages);
    await pushSession(server, stranger, ids);
    await deleteSession();
    await deleteSession();
    passDays(KEPT_DAYS + 1);
    await purge();
    await expect(stranger.stream(before.cursors)).resolves.toMatchObject({ hasEnded: true });
  });

  it('makes devices of protocol 2 start again too', async () => {
    await deleteSession();
    passDays(KEPT_DAYS + 1);
    await purge();
    await expect(phone.pullV2({ user: 1 })).rejects.toThrow(/410.*sync\.resync.*purged/);
    await expect(phone.pullV2()).resolves.not.toEqual([]);
  });
}
