import { RecordingId, SessionId } from '@parley/domain';
import { parseWav } from '@parley/speech';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { aDataFolder, openHost } from '../test-kit/open-host.ts';
import type { Acknowledged } from '../test-kit/practising-process.ts';
import { inDatabase } from '../test-kit/read-database.ts';

const SCRIPT = fileURLToPath(new URL('../test-kit/practising-process.ts', import.meta.url));

interface Kill {
  at: (what: Acknowledged) => boolean;
  afterMs: number;
  chunkEveryMs?: number;
}

/** Runs a process that practises, kills it some time after an event, and returns what it had acknowledged. */
async function practiseAndKill(dataDir: string, { at, afterMs, chunkEveryMs = 0 }: Kill): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [SCRIPT, dataDir, String(chunkEveryMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Acknowledged[] = [];
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const what = JSON.parse(line) as Acknowledged;
    acknowledged.push(what);
    if (at(what)) setTimeout(() => child.kill('SIGKILL'), afterMs);
  }
  await exited;
  // A host that crashed by itself would prove nothing about kills.
  expect(child.signalCode).toBe('SIGKILL');
  return acknowledged;
}

interface SessionCounts {
  said: number;
  rows: number;
}

const countTurns = (dataDir: string, sessionId: string): SessionCounts | undefined =>
  inDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare<[string], SessionCounts>(
        `SELECT json_array_length(h.entire_conversation) AS said,
           (SELECT count(*) FROM ai_conversations c JOIN user_course_interaction i USING (interaction_id)
            WHERE i.details ->> '$.sessionId' = h.id) AS rows
         FROM practice_history h WHERE h.id = ?`,
      )
      .get(sessionId),
  );

async function expectNothingLost(dataDir: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const { host, ask } = await openHost({ dataDir });
  for (const event of acknowledged) {
    switch (event.type) {
      case 'ready':
        break;
      case 'chunk':
        expect(statSync(join(dataDir, 'recordings', `${event.recordingId}.wav`)).size).toBeGreaterThanOrEqual(
          44 + event.bytes,
        );
        break;
      case 'started':
      case 'heard':
      case 'typed':
      case 'turns':
      case 'finished': {
        const session = await ask.practice.session({ sessionId: SessionId.parse(event.sessionId) });
        // An action is stored completely or not at all: the coach has always replied, and each turn has its row.
        expect(session.turns.at(-1)?.role).toBe('coach');
        expect(countTurns(dataDir, event.sessionId)).toEqual({
          said: session.turns.length,
          rows: session.turns.length,
        });
        if (event.type === 'turns') expect(session.turns.length).toBeGreaterThanOrEqual(event.count);
        if (event.type === 'finished') expect(session.phase).toBe('scored');
        if (event.type === 'heard' && session.turns.length === 1)
          expect(session.waitingTurn).toMatchObject({ status: 'heard', turnId: event.turnId });
        break;
      }
    }
  }
  expect(inDatabase(dataDir, (sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
  await host.close();
}

const isReady = (what: Acknowledged): boolean => what.type === 'ready';

async function draftOf(dataDir: string, sessionId: SessionId): Promise<string> {
  const { host, ask } = await openHost({ dataDir });
  const { text } = await ask.practice.draft({ sessionId });
  await host.close();
  return text;
}

async function expectNothingLostAfter(afterMs: number): Promise<void> {
  const dataDir = aDataFolder();
  const first = await practiseAndKill(dataDir, { at: isReady, afterMs });
  await expectNothingLost(dataDir, first);
  const second = await practiseAndKill(dataDir, { at: isReady, afterMs });
  expect(second.length).toBeGreaterThan(0);
  await expectNothingLost(dataDir, [...first, ...second]);
}

describe('a killed host', () => {
  // The delays are spread over the first sessions; which action each hits depends on the machine.
  const TITLE = 'keeps everything acknowledged when killed after %i ms';
  it.each([24])(TITLE, expectNothingLostAfter);
  it.each([3, 11, 57, 90, 160, 230])(TITLE, { tags: ['slow'] }, expectNothingLostAfter);

  it('keeps the draft that was being typed and drops a sent one', { tags: ['slow'] }, async () => {
    const dataDir = aDataFolder();
    const acknowledged = await practiseAndKill(dataDir, { at: ({ type }) => type === 'typed', afterMs: 0 });
    const typed = acknowledged.findLast((what) => what.type === 'typed');
    if (typed === undefined) throw new Error('the process was killed before it typed anything');
    const before = acknowledged.slice(0, acknowledged.indexOf(typed)).findLast((what) => what.type === 'turns');
    const said = countTurns(dataDir, typed.sessionId)?.said ?? 0;
    // The kill may come after the next action, but never between a turn and the deletion of its draft.
    const isSent = before?.type === 'turns' && said > before.count;
    expect(await draftOf(dataDir, SessionId.parse(typed.sessionId))).toBe(isSent ? '' : typed.text);
  });

  it('keeps an unfinished recording as the waiting turn', { tags: ['slow'] }, async () => {
    const dataDir = aDataFolder();
    const acknowledged = await practiseAndKill(dataDir, {
      at: (what) => what.type === 'chunk' && what.bytes === 5 * 6_400,
      afterMs: 0,
      chunkEveryMs: 60,
    });
    const last = acknowledged.at(-1);
    if (last?.type !== 'chunk') throw new Error('the kill missed the recording');
    const { host, ask } = await openHost({ dataDir });
    const session = await ask.practice.session({ sessionId: SessionId.parse(last.sessionId) });
    expect(session.waitingTurn).toMatchObject({ status: 'heard', recordingId: last.recordingId });
    const wav = await ask.recordings.read({ recordingId: RecordingId.parse(last.recordingId) });
    const parsed = parseWav(new Uint8Array(await wav.arrayBuffer()));
    expect(parsed).toMatchObject({ ok: true, value: { truncated: false } });
    if (parsed.ok) expect(parsed.value.pcm.length).toBeGreaterThanOrEqual(last.bytes / 2);
    await host.close();
  });
});
