/** Reports, repairs and safe mode of a real installation. */
import { createRouterClient } from '@orpc/server';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type AppHost, openAppHost } from '../profiles/index.ts';
import { aDataFolder, aScriptedScorer } from '../test-kit/open-host.ts';
import { misspellInIndex } from '../test-kit/read-database.ts';
import { aCatalogue, LATE_DELIVERY } from '../test-kit/test-catalogue.ts';

const open: AppHost[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function start(dataDir: string) {
  const app = await openAppHost({
    dataDir,
    serverUrl: null,
    version: '0.2.0',
    logDir: join(dataDir, 'logs'),
    scorer: aScriptedScorer(),
    timeZone: () => 'Europe/Berlin',
    loadCatalogue: aCatalogue,
  });
  open.push(app);
  return {
    ask: async () => createRouterClient((await app.host()).router),
    stop: async () => {
      open.splice(open.indexOf(app), 1);
      await app.close();
    },
  };
}

/** Lets a requested switch begin; `ask` then waits until it is done. */
const reopening = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

it('writes a report with versions, checks and logs, and saves exactly the shown text', async () => {
  const dataDir = aDataFolder();
  mkdirSync(join(dataDir, 'logs'));
  writeFileSync(join(dataDir, 'logs', 'app.1.log'), `{"msg":"sync_stopped","folder":"${homedir()}/parley"}\n`);
  const ask = await (await start(dataDir)).ask();
  const { text } = await ask.support.report();
  for (const part of ['parley: 0.2.0', 'check database: sound', 'check server: none chosen', 'sync_stopped'])
    expect(text).toContain(part);
  expect(text).not.toContain(homedir());
  expect(readdirSync(dataDir)).not.toContain('exports');
  const { file } = await ask.support.saveReport();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('saves no report before one was shown', async () => {
  const ask = await (await start(aDataFolder())).ask();
  await expect(ask.support.saveReport()).rejects.toMatchObject({ code: 'request.invalid' });
});

it('includes only the newest part of long log files in a report', async () => {
  const dataDir = aDataFolder();
  mkdirSync(join(dataDir, 'logs'));
  const lines = Array.from({ length: 20_000 }, (_, index) => `{"msg":"entry ${index}"}`);
  writeFileSync(join(dataDir, 'logs', 'app.1.log'), `${lines.join('\n')}\n`);
  const { text } = await (await (await start(dataDir)).ask()).support.report();
  expect(text.length).toBeLessThan(250_000);
  expect(text).toContain('entry 19999');
  expect(text).not.toContain('"entry 5"');
});

it('switches safe mode on and off, and forgets it at the next start', async () => {
  const dataDir = aDataFolder();
  const laptop = await start(dataDir);
  await (await laptop.ask()).support.setSafeMode({ isOn: true });
  await reopening();
  const ask = await laptop.ask();
  expect(await ask.app.about()).toMatchObject({ isSafeMode: true });
  expect((await ask.sync.status()).state).toBe('no_server');
  await laptop.stop();
  expect(await (await (await start(dataDir)).ask()).app.about()).toMatchObject({ isSafeMode: false });
});

it('repairs a damaged index without losing a row, and keeps the damaged file', async () => {
  const dataDir = aDataFolder();
  const laptop = await start(dataDir);
  const ask = await laptop.ask();
  const request = {
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
    coachKind: 'guided',
  } as const;
  const { sessionId } = await ask.practice.start(request);
  await laptop.stop();
  misspellInIndex(dataDir, 'practice_history_practice_id_status_deleted_at_user_id_score_index', LATE_DELIVERY);

  const again = await start(dataDir);
  await (await again.ask()).support.repair();
  await reopening();
  expect(await (await again.ask()).app.about()).toMatchObject({ repaired: 'reindexed' });
  const { items } = await (await again.ask()).history.list({ search: '', offset: 0, limit: 10 });
  expect(items.map((item) => item.sessionId)).toEqual([sessionId]);
  expect(readdirSync(join(dataDir, 'backups')).some((name) => name.startsWith('before-repair-'))).toBe(true);
});

it('finds nothing to repair in a sound database', async () => {
  const laptop = await start(aDataFolder());
  await (await laptop.ask()).support.repair();
  await reopening();
  expect(await (await laptop.ask()).app.about()).toMatchObject({ repaired: 'sound', restoredFrom: null });
});
