import { readFeedbackText } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { LATE_REPLY, SORRY_REPLY } from '../../test-kit/test-catalogue.ts';
import { type OpenHost, openHost, recordTurn, startPractice } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';

let opened: OpenHost;
afterEach(() => opened.host.close());

async function start(communicationStyle: 'text' | 'audio' = 'text') {
  opened = await openHost();
  const { sessionId } = await startPractice(opened.ask, communicationStyle);
  return sessionId;
}

/** Restarts the host on the same files. */
async function restart(): Promise<void> {
  await opened.host.close();
  opened = await openHost({ dataDir: opened.dataDir });
}

async function openHints(sessionId: string, ...levels: number[]): Promise<void> {
  for (const level of levels) await opened.ask.practice.hint({ sessionId, level });
}

const storedHints = (): unknown[] =>
  inDatabase(opened.dataDir, (sqlite) => sqlite.prepare('SELECT * FROM session_hints').all());

describe('opened hints', () => {
  it('count for the turn after the window forgets them', async () => {
    const sessionId = await start();
    await openHints(sessionId, 1, 2, 3);
    await restart();
    expect(await opened.ask.practice.session({ sessionId })).toMatchObject({ hintLevel: 3 });
    const { turns } = await opened.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
    expect(turns.at(-2)).toMatchObject({ role: 'learner', hintLevel: 3 });
    await opened.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    const { feedback } = await opened.ask.practice.finish({ sessionId });
    expect(readFeedbackText(feedback?.fix ?? '').point).toEqual({ code: 'hints', turns: 1 });
  });

  it('count for a spoken turn, whatever the window reports', async () => {
    const sessionId = await start('audio');
    await openHints(sessionId, 1, 2);
    const { turnId } = await recordTurn(opened.ask, sessionId);
    await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    const { turns } = await opened.ask.practice.sendTurn({ sessionId, turnId });
    expect(turns.at(-2)).toMatchObject({ role: 'learner', hintLevel: 2 });
  });

  it('count by the highest level opened or reported', async () => {
    const sessionId = await start();
    await openHints(sessionId, 2, 1);
    expect(await opened.ask.practice.session({ sessionId })).toMatchObject({ hintLevel: 2 });
    const { turns } = await opened.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 3 });
    expect(turns.at(-2)).toMatchObject({ hintLevel: 3 });
  });

  it('are cleared with their turn', async () => {
    const sessionId = await start();
    await openHints(sessionId, 3);
    expect(await opened.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 })).toMatchObject({
      hintLevel: 0,
    });
    expect(storedHints()).toEqual([]);
    const { turns } = await opened.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
    expect(turns.at(-2)).toMatchObject({ hintLevel: 0 });
  });

  it.each(['discard', 'finish'] as const)('are removed when the session ends by %s', async (end) => {
    const sessionId = await start();
    await openHints(sessionId, 1);
    expect(storedHints()).toHaveLength(1);
    await opened.ask.practice[end]({ sessionId });
    expect(storedHints()).toEqual([]);
  });
});
