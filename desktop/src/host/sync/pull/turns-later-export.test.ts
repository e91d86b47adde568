/** Exports of a device that still has conversations to fetch. */
import { strFromU8, unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { join, typeTurns, untilNothingWaits } from '../../test-kit/devices.ts';
import { LATER, missingOn, OLD_SESSIONS, search, setUpLongHistory, TURNS_PATH } from '../../test-kit/long-history.ts';

const scene = setUpLongHistory();

describe('an export', () => {
  const entriesOf = (file: string): Record<string, Uint8Array> => unzipSync(readFileSync(file));
  const turnsIn = (entries: Record<string, Uint8Array>): number =>
    strFromU8(entries['data/ai_conversations.json'] ?? new Uint8Array()).match(/elephant/g)?.length ?? 0;

  it('first fetches missing turns', async () => {
    const { one } = await scene.aLongHistory();
    const two = await scene.join(one);
    const { file, isComplete } = await two.ask.account.exportAll();
    expect(isComplete).toBe(true);
    expect(turnsIn(entriesOf(file))).toBe(turnsIn(entriesOf((await one.ask.account.exportAll()).file)));
    expect(missingOn(two)).toEqual([]);
  });

  it('reports missing turns when the server cannot be reached', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    scene.server.fail = 'sync.offline';
    const { file, isComplete } = await two.ask.account.exportAll();
    expect(isComplete).toBe(false);
    const note = strFromU8(entriesOf(file)['MISSING CONVERSATIONS.txt'] ?? new Uint8Array());
    expect(old.filter((sessionId) => !note.includes(sessionId))).toEqual([]);
  });

  it('is not complete before the first sync has succeeded', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    const two = await scene.devices.open({ turns: LATER });
    scene.server.failOn = (path) => (path === '/v1/sync/stream' ? 'sync.offline' : null);
    await join(two, one);
    expect((await two.ask.account.exportAll()).isComplete).toBe(false);
    scene.server.failOn = null;
    const { file, isComplete } = await two.ask.account.exportAll();
    expect(isComplete).toBe(true);
    expect(turnsIn(entriesOf(file))).toBe(OLD_SESSIONS);
  });

  it('contains everything but the session on which the server fails', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    scene.server.failOnTurnsOf = (sessionId) => sessionId === old[0];
    expect((await two.ask.account.exportAll()).isComplete).toBe(false);
    expect(missingOn(two)).toEqual([old[0]]);
  });

  it('that is incomplete is imported, and says that it is', { tags: ['slow'] }, async () => {
    const one = await scene.devices.open();
    await typeTurns(one, 'an elephant that is not finished');
    const finished = await typeTurns(one, 'an elephant');
    await one.ask.practice.finish({ sessionId: finished });
    await untilNothingWaits(one);
    scene.server.failOn = (path) => (path === TURNS_PATH ? 'sync.offline' : null);
    const { file } = await (await scene.join(one)).ask.account.exportAll();
    const next = await scene.devices.open({ serverUrl: null });
    const { importId } = await next.ask.import.begin();
    await next.ask.import.append({ importId, offset: 0, bytes: new Blob([new Uint8Array(readFileSync(file))]) });
    expect(await next.ask.import.preview({ importId })).toMatchObject({ isComplete: false, practices: { inFile: 1 } });
    await next.ask.import.apply({ importId });
    // The unfinished session would be finished here as an empty one.
    expect((await search(next, '')).items).toMatchObject([{ status: 'completed' }]);
  });
});
