import { afterEach, describe, expect, it } from 'vitest';
import { LATE_DELIVERY, LATE_REPLY, SORRY_REPLY } from '../test-kit/a-catalogue.ts';
import { type OpenHost, openHost, removeDataFolders, sayTurn } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';

let opened: OpenHost;
afterEach(async () => {
  await opened.host.close();
  removeDataFolders();
});

async function start(communicationStyle: 'text' | 'audio' = 'text') {
  opened = await openHost();
  const { sessionId } = await opened.ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle,
  });
  return sessionId;
}

/** Closed and opened again, on the same files. */
async function restart(): Promise<void> {
  await opened.host.close();
  opened = await openHost({ dataDir: opened.dataDir });
}

async function openHints(sessionId: string, ...levels: number[]): Promise<void> {
  for (const level of levels) await opened.ask.practice.hint({ sessionId, level });
}

const storedHints = (): unknown[] =>
  inDatabase(opened.dataDir, (sqlite) => sqlite.prepare('SELECT * FROM session_hints').all());

describe('hints that were opened', () => {
  it('count for the turn even if the window forgets them', async () => {
    const sessionId = await start();
    await openHints(sessionId, 1, 2, 3);
    await restart();
    expect(await opened.ask.practice.session({ sessionId })).toMatchObject({ hintLevel: 3 });
    const { turns } = await opened.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    expect(turns.at(-2)).toMatchObject({ role: 'learner', hintLevel: 3 });
    await opened.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    const { feedback } = await opened.ask.practice.finish({ sessionId });
    expect(feedback?.fix).toContain('You opened hints in 1 turn');
  });

  it('count for a spoken turn, whatever was known when its recording ended', async () => {
    const sessionId = await start('audio');
    await openHints(sessionId, 1, 2);
    const { turnId } = await sayTurn(opened.ask, sessionId);
    await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    const { turns } = await opened.ask.practice.sendTurn({ sessionId, turnId });
    expect(turns.at(-2)).toMatchObject({ role: 'learner', hintLevel: 2 });
  });

  it('count by the highest of them, and by what the window says if that is more', async () => {
    const sessionId = await start();
    await openHints(sessionId, 2, 1);
    expect(await opened.ask.practice.session({ sessionId })).toMatchObject({ hintLevel: 2 });
    const { turns } = await opened.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 3 });
    expect(turns.at(-2)).toMatchObject({ hintLevel: 3 });
  });

  it('are over with their turn', async () => {
    const sessionId = await start();
    await openHints(sessionId, 3);
    expect(await opened.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 })).toMatchObject({
      hintLevel: 0,
    });
    expect(storedHints()).toEqual([]);
    const { turns } = await opened.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    expect(turns.at(-2)).toMatchObject({ hintLevel: 0 });
  });

  it.each(['discard', 'finish'] as const)('leave nothing behind when the session ends by %s', async (end) => {
    const sessionId = await start();
    await openHints(sessionId, 1);
    expect(storedHints()).toHaveLength(1);
    await opened.ask.practice[end]({ sessionId });
    expect(storedHints()).toEqual([]);
  });
});
