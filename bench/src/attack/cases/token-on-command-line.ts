/** Another user of the computer reads command lines, one of which once contained the token that opens the window. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { StandaloneAttack } from '../attack.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startShell } from '../browser-shell.ts';

/** Replaces Chromium: it opens no page, so the token stays unused, and its command line stays visible. */
const FAKE_BROWSER = '#!/bin/sh\nsleep 600 &\nwait\n';
const MAX_TRIES = 100;

export const tokenOnCommandLine: StandaloneAttack = {
  name: 'Another user reads the token that opens the window from a command line, or uses it a second time',
  before: 'it was on the command line of Chromium',
  target: 'on 0 command lines, opens once',
  run: () =>
    withTemporaryFolder(async (dir) => {
      const browser = join(dir, 'browser');
      await writeFile(browser, FAKE_BROWSER);
      await chmod(browser, 0o755);
      const dataDir = join(dir, 'data');
      const shell = await startShell(dataDir, { PARLEY_BROWSER: browser, DISPLAY: ':0', ATTACK_OPENS_WINDOW: '1' });
      try {
        const file = await findBrowserPage(dataDir);
        const address = /url=(http:[^"]+)"/.exec(await readFile(file, 'utf8'))?.[1] ?? '';
        const token = address.slice(address.lastIndexOf('/') + 1);
        if (token.length < 20) throw new Error(`no token in ${address}`);
        const tokens = [token, shell.address.slice(shell.address.lastIndexOf('/') + 1)];
        const exposures = (await readCommandLines()).filter((line) =>
          tokens.some((each) => line.includes(each)),
        ).length;
        const admissions = [
          await grantsSession(address),
          await grantsSession(address),
          await grantsSession(address),
        ].filter(Boolean).length;
        return {
          after: `on ${exposures} command lines, opened ${admissions} of 3 times`,
          holds: exposures === 0 && admissions === 1,
        };
      } finally {
        await shell.stop();
      }
    }),
};

/** Finds the file that the browser was started with, which is all that its command line reveals. */
async function findBrowserPage(dataDir: string): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const line = (await readCommandLines()).find((each) => each.includes(`--app=`) && each.includes(dataDir));
    const page = /--app=(file:[^\0]+)/.exec(line ?? '')?.[1];
    if (page !== undefined) return fileURLToPath(page);
    await sleep(100);
  }
  throw new Error('the browser is not among the processes');
}

async function readCommandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // The process may have ended in the meantime.
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
}

async function grantsSession(address: string): Promise<boolean> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  return answer.headers.has('set-cookie');
}
