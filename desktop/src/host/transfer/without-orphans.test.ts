/** Exports with rows whose parent row is missing or deleted. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startPractice } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import {
  aDevice,
  aLearner,
  changed,
  type Device,
  exportOf,
  importInto,
  jsonOf,
  practise,
  closeDevices,
  rowsOf,
  seen,
  send,
  withoutIds,
} from '../test-kit/transfer-devices.ts';

afterEach(closeDevices);

const TURNS = 'data/ai_conversations.json';
const INTERACTIONS = 'data/user_course_interaction.json';

const turnsIn = ({ dataDir }: Device): unknown[] =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT conversation_id FROM ai_conversations').pluck().all());

const recordingsIn = ({ dataDir }: Device): string[] =>
  readdirSync(join(dataDir, 'recordings'))
    .filter((name) => name.endsWith('.wav'))
    .toSorted();

describe('an export is imported', () => {
  it('on another computer without the turns of sessions that were discarded or deleted', async () => {
    const old = await aLearner();
    const { sessionId } = await practise(old);
    await old.ask.history.remove({ sessionId });
    const discarded = await startPractice(old.ask, 'text');
    await old.ask.practice.sendTyped({ sessionId: discarded.sessionId, text: 'I am sorry.', hintLevel: 0 });
    await old.ask.practice.discard({ sessionId: discarded.sessionId });
    const file = await exportOf(old);
    const next = await aDevice();
    expect(await importInto(next, file)).toMatchObject({ practices: 1 });
    const before = withoutIds(await seen(old));
    expect(before.sessions).toHaveLength(1);
    expect(withoutIds(await seen(next))).toEqual(before);
    expect(turnsIn(next).length).toBeGreaterThan(0);
    expect(turnsIn(next).length).toBeLessThan(turnsIn(old).length);
  });

  it('on another computer without the recordings of sessions that were deleted', async () => {
    const old = await aLearner();
    const { sessionId } = await practise(old);
    await old.ask.history.remove({ sessionId });
    const file = await exportOf(old);
    const next = await aDevice();
    const importId = await send(next, file);
    expect(await next.ask.import.preview({ importId })).toMatchObject({ recordings: { inFile: 3, toImport: 2 } });
    expect(await next.ask.import.apply({ importId })).toMatchObject({ recordings: 2, damagedRecordings: 0 });
    expect(recordingsIn(next)).toHaveLength(2);
  });

  it('without recordings of sessions that were erased here', async () => {
    const one = await aLearner();
    const { sessionId, recordingId } = await practise(one);
    const file = await exportOf(one);
    const { items } = await one.ask.history.list({ search: '', offset: 0, limit: 5 });
    for (const item of items) if (item.sessionId === sessionId) await one.ask.history.remove({ sessionId });
    one.clock.pass(8 * 86_400_000);
    await one.host.close();
    const reopened = await aDevice({ dataDir: one.dataDir, clock: one.clock });
    await reopened.host.whenIdle();
    const kept = recordingsIn(reopened);
    expect(kept).not.toContain(`${recordingId}.wav`);
    const lost = kept[0] ?? '';
    rmSync(join(one.dataDir, 'recordings', lost));
    inDatabase(one.dataDir, (sqlite) => sqlite.prepare('DELETE FROM recordings WHERE file_name = ?').run(lost));
    const importId = await send(reopened, file);
    expect(await reopened.ask.import.preview({ importId })).toMatchObject({
      recordings: { inFile: 3, toImport: 1 },
      deletedHere: 1,
    });
    expect(await reopened.ask.import.apply({ importId })).toMatchObject({ recordings: 1 });
    expect(recordingsIn(reopened)).toEqual(kept);
  });

  it('on another computer without turns whose course is missing', async () => {
    const old = await aLearner();
    const file = changed(await exportOf(old), (entries) => {
      entries[INTERACTIONS] = jsonOf([]);
    });
    const next = await aDevice();
    expect(await importInto(next, file)).toMatchObject({ practices: 1, recordings: 2 });
    const { sessions, words, firstName } = await seen(next);
    expect(sessions).toHaveLength(1);
    expect(words.length).toBeGreaterThan(0);
    expect(firstName).toBe('Ana');
    expect(turnsIn(next)).toEqual([]);
  });

  it('without turns whose session is neither in it nor here, and with those whose session is here', async () => {
    const one = await aLearner();
    const kept = crypto.randomUUID();
    const orphan = crypto.randomUUID();
    const file = changed(await exportOf(one), (entries) => {
      const [turn] = rowsOf(entries[TURNS]);
      entries[TURNS] = jsonOf([
        { ...turn, conversationId: orphan, sessionId: crypto.randomUUID() },
        { ...turn, conversationId: kept },
      ]);
      entries[INTERACTIONS] = jsonOf([]);
      entries['data/practice_history.json'] = jsonOf([]);
    });
    await importInto(one, file);
    expect(turnsIn(one)).toContain(kept);
    expect(turnsIn(one)).not.toContain(orphan);
  });
});
