/** Another user of the computer reads the command lines of all programs, and what opens the learner's window was on one of them. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { OwnAttack } from '../attack.ts';
import { withFolder } from '../folder.ts';
import { startShell } from '../shell.ts';

/** Takes the place of Chromium: opens no page, so that the token is still there to be tried, and keeps its command line. */
const BROWSER = '#!/bin/sh\nsleep 600 &\nwait\n';
const MAX_TRIES = 100;

export const commandLine: OwnAttack = {
  name: 'Another user reads what opens the window from the command lines of all programs, or uses it a second time',
  before: 'it was on the command line of Chromium',
  target: 'on 0 command lines, opens once',
  run: () =>
    withFolder(async (dir) => {
      const browser = join(dir, 'browser');
      await writeFile(browser, BROWSER);
      await chmod(browser, 0o755);
      const dataDir = join(dir, 'data');
      const shell = await startShell(dataDir, { PARLEY_BROWSER: browser, DISPLAY: ':0', ATTACK_OPENS_WINDOW: '1' });
      try {
        const file = await fileOfBrowser(dataDir);
        const address = /url=(http:[^"]+)"/.exec(await readFile(file, 'utf8'))?.[1] ?? '';
        const token = address.slice(address.lastIndexOf('/') + 1);
        if (token.length < 20) throw new Error(`no token in ${address}`);
        const tokens = [token, shell.address.slice(shell.address.lastIndexOf('/') + 1)];
        const showing = (await commandLines()).filter((line) => tokens.some((each) => line.includes(each))).length;
        const opened = [await letsIn(address), await letsIn(address), await letsIn(address)].filter(Boolean).length;
        return {
          after: `on ${showing} command lines, opened ${opened} of 3 times`,
          holds: showing === 0 && opened === 1,
        };
      } finally {
        await shell.stop();
      }
    }),
};

/** The page that the browser was started with: the one thing that its command line tells. */
async function fileOfBrowser(dataDir: string): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const line = (await commandLines()).find((each) => each.includes(`--app=`) && each.includes(dataDir));
    const page = /--app=(file:[^\0]+)/.exec(line ?? '')?.[1];
    if (page !== undefined) return fileURLToPath(page);
    await sleep(100);
  }
  throw new Error('the browser is not among the processes');
}

async function commandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end meanwhile.
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
}

async function letsIn(address: string): Promise<boolean> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  return answer.headers.has('set-cookie');
}
