/** Crash records of a real host, in an in-memory folder. Sending them is tested with a real server in `desktop/e2e`. */
import { createRouterClient } from '@orpc/server';
import type { CrashReport } from '@parley/contract';
import { expect, it } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';
import type { CrashFolder } from './crashes.ts';

function aFolder(): CrashFolder {
  let reports: CrashReport[] = [];
  return {
    list: () => reports,
    add: (report) => void reports.unshift(report),
    remove: (ids) => {
      reports = reports.filter(({ id }) => !ids.includes(id));
    },
  };
}

const STACK = `TypeError: what Ada said
    at scoreTurn (http://127.0.0.1:41233/Zk3secret/assets/index-B2x.js:1:23456)`;

async function open() {
  const { host } = await openHost({ crashFolder: aFolder(), version: '0.3.0' });
  return { host, ask: createRouterClient(host.router).support };
}

it('records an error of the window without its message', async () => {
  const { host, ask } = await open();
  await ask.recordCrash({ kind: 'TypeError', stack: STACK });
  const [report] = await ask.crashes();
  expect(report).toMatchObject({
    source: 'window',
    version: '0.3.0',
    kind: 'TypeError',
    frames: ['scoreTurn (index-B2x.js:1:23456)'],
  });
  expect(JSON.stringify(report)).not.toMatch(/Ada|secret/);
  await host.close();
});

it('keeps a report that cannot be sent, and deletes it when asked', async () => {
  const { host, ask } = await open();
  await ask.recordCrash({ kind: 'TypeError', stack: STACK });
  const ids = (await ask.crashes()).map(({ id }) => id);
  await expect(ask.sendCrashes({ ids })).rejects.toMatchObject({ code: 'sync.offline' });
  expect(await ask.crashes()).toHaveLength(1);
  await ask.deleteCrashes();
  expect(await ask.crashes()).toEqual([]);
  await host.close();
});
