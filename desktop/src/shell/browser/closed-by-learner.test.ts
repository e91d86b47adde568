import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type BrowserShell, startBrowserShell } from './index.ts';
import { createWindowCount } from './window-count.ts';

const WAITS = { handOverMs: 60, reloadMs: 60 };
let folder = '';
let shell: BrowserShell | null = null;
const said: string[] = [];

/** A fake browser that runs until its file is removed, or exits at once like one that hands its window over. */
const RUNS = (): string => `#!/bin/sh\nwhile [ -e '${join(folder, 'browser')}' ]; do sleep 0.1; done\n`;
const HANDS_OVER = '#!/bin/sh\n';

async function start(browser: string, { mode = 0o755 } = {}): Promise<BrowserShell> {
  writeFileSync(join(folder, 'browser'), browser);
  chmodSync(join(folder, 'browser'), mode);
  shell = await startBrowserShell({
    dataDir: join(folder, 'data'),
    rendererDir: folder,
    serverUrl: null,
    open: true,
    print: (line) => said.push(line),
    waits: WAITS,
  });
  if (shell === null) throw new Error('the shell did not start');
  return shell;
}

/** Connects a window, as the page does in a browser. */
async function connectWindow({ origin, createAddress }: BrowserShell): Promise<WebSocket> {
  const entered = await fetch(createAddress());
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = /content="0;url=([^"]+)"/.exec(await entered.text())?.[1] ?? 'no page';
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${page}host`, { headers: { cookie, origin } });
  await once(socket, 'open');
  return socket;
}

const isClosed = ({ closedByLearner }: BrowserShell): Promise<boolean> =>
  Promise.race([closedByLearner.then(() => true), sleep(4 * WAITS.reloadMs).then(() => false)]);

describe.skipIf(process.platform === 'win32')('the learner closes Parley', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-closed-'));
    said.length = 0;
    vi.stubEnv('PARLEY_BROWSER', join(folder, 'browser'));
    vi.stubEnv('DISPLAY', ':0');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await shell?.close();
  });

  it('by closing the browser that was started', async () => {
    const started = await start(RUNS());
    const window = await connectWindow(started);
    window.close();
    await once(window, 'close');
    expect(await isClosed(started)).toBe(false);
    rmSync(join(folder, 'browser'));
    await started.closedByLearner;
    expect(said).toEqual(['Parley is ready.']);
  });

  it('by closing the window that another browser of the profile has taken over', { tags: ['slow'] }, async () => {
    const started = await start(HANDS_OVER);
    const window = await connectWindow(started);
    expect(await isClosed(started)).toBe(false);
    window.close();
    await started.closedByLearner;
  });

  it.each([
    ['ends without a window', 0o755],
    ['cannot be started', 0o644],
  ])('not by a browser that %s: the address is printed', async (_name, mode) => {
    const started = await start(HANDS_OVER, { mode });
    await expect
      .poll(() => said)
      .toEqual(['Parley is ready.', expect.stringMatching(/^No window has opened.*http:\S+$/)]);
    expect(await isClosed(started)).toBe(false);
  });
});

it('not by reloading the window', async () => {
  const windows = createWindowCount();
  const first = new EventEmitter();
  const reloaded = new EventEmitter();
  const waits: (() => void)[] = [];
  let isOver = false;
  const over = windows
    .allClosed(() => new Promise((resolve) => waits.push(resolve)))
    .then(() => {
      isOver = true;
    });
  windows.add(first);
  await setImmediate();
  first.emit('close');
  await expect.poll(() => waits).toHaveLength(1);
  windows.add(reloaded);
  waits[0]?.();
  await setImmediate();
  expect(isOver).toBe(false);
  reloaded.emit('close');
  await expect.poll(() => waits).toHaveLength(2);
  waits[1]?.();
  await over;
});
