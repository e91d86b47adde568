/** Files of recordings whose rows are lost, on a computer that refuses to open them. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenHost, recordTurn, startPractice } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { createDevices } from '../test-kit/devices.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url }));
beforeEach(async () => {
  server = await startServer();
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

const fileOf = ({ dataDir }: OpenHost, recordingId: string): string =>
  join(dataDir, 'recordings', `${recordingId}.wav`);

/** A folder cannot be opened for writing, even by root. */
function lock(file: string): { unlock: () => void } {
  const content = readFileSync(file);
  rmSync(file);
  mkdirSync(file);
  return {
    unlock: () => {
      rmSync(file, { recursive: true });
      writeFileSync(file, content);
    },
  };
}

/** Two turns, of which the second recording may still be growing. Closes the app and returns the ids. */
async function record({ isInterrupted }: { isInterrupted: boolean }) {
  const one = await devices.open();
  const { sessionId } = await startPractice(one.ask, 'audio');
  const first = await recordTurn(one.ask, sessionId);
  await one.ask.practice.finishTurn({ sessionId, turnId: first.turnId, hintLevel: 0 });
  await one.ask.practice.sendTurn({ sessionId, turnId: first.turnId });
  const second = await recordTurn(one.ask, sessionId);
  if (!isInterrupted) {
    await one.ask.practice.finishTurn({ sessionId, turnId: second.turnId, hintLevel: 0 });
    await one.ask.practice.sendTurn({ sessionId, turnId: second.turnId });
  }
  await one.ask.sync.run();
  await devices.close(one);
  return { one, sessionId, first: first.recordingId, second: second.recordingId, secondTurn: second.turnId };
}

const placeOf = async ({ ask }: OpenHost, recordingId: string): Promise<string> =>
  (await ask.recordings.place({ recordingId })).place;

describe('a recording that cannot be opened', () => {
  it('stops neither the start nor a sync, and is adopted when it can be opened', async () => {
    const { one, first, second } = await record({ isInterrupted: false });
    inDatabase(one.dataDir, (sqlite) => sqlite.exec('DELETE FROM recordings'));
    const { unlock } = lock(fileOf(one, first));
    const failures: string[] = [];
    const ignore = (): void => undefined;
    const warn = (_about: object, message: string): void => void failures.push(message);
    const again = await devices.open({ dataDir: one.dataDir, logger: { info: ignore, warn, error: ignore } });
    expect(await again.ask.sync.run()).toMatchObject({ state: 'idle' });
    expect(await again.ask.sync.run()).toMatchObject({ state: 'idle' });
    expect(await placeOf(again, second)).toBe('original');
    expect(await placeOf(again, first)).not.toBe('original');
    expect(failures.filter((message) => message === 'recording_not_adopted')).toHaveLength(1);

    unlock();
    expect(await placeOf(again, first)).toBe('original');
  });

  it('stops no start either if it was interrupted, and is recovered at the next one', async () => {
    const { one, sessionId, second, secondTurn } = await record({ isInterrupted: true });
    inDatabase(one.dataDir, (sqlite) =>
      sqlite.prepare("UPDATE recordings SET state = 'recording' WHERE recording_id = ?").run(second),
    );
    const { unlock } = lock(fileOf(one, second));
    const again = await devices.open({ dataDir: one.dataDir });
    expect(await again.ask.sync.run()).toMatchObject({ state: 'idle' });
    await devices.close(again);
    unlock();
    const last = await devices.open({ dataDir: one.dataDir });
    expect((await last.ask.practice.session({ sessionId })).waitingTurn?.turnId).toBe(secondTurn);
  });
});
