/** The main process after a failure of another process or of the data folder. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENGLISH_TEXTS } from './native-texts.ts';
import { forgetMain, startMain } from './test-kit/fake-electron.ts';

let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-main-'));
  vi.stubEnv('PARLEY_DATA_DIR', dataDir);
});
afterEach(() => {
  vi.useRealTimers();
  forgetMain();
  vi.unstubAllEnvs();
});

describe('a host that exits', () => {
  const log = (): string => readFileSync(join(dataDir, 'logs', 'main.1.log'), 'utf8');

  it('is announced to the window and noted in the log', async () => {
    const electron = await startMain();
    await electron.ready();
    const host = electron.connectPage();
    host.emit('message', { type: 'opened' });
    host.emit('exit', 1);
    expect(electron.only().sent).toEqual(['parley:closed']);
    expect(electron.errorBoxes).toEqual([]);
    expect(log()).toContain('host_process_exited');
  });

  it('before it has opened ends the app with an explanation, because the window would stay blank', async () => {
    const electron = await startMain();
    await electron.ready();
    electron.connectPage().emit('exit', 1);
    expect(electron.errorBoxes).toEqual([expect.stringMatching(/stopped before your work could be opened/)]);
    expect(electron.app.quits).toBe(1);
  });

  it('before it has opened is explained in the language of the last start', async () => {
    mkdirSync(join(dataDir, 'window'));
    const texts = Object.fromEntries(Object.entries(ENGLISH_TEXTS).map(([key, text]) => [key, `«${text}»`]));
    writeFileSync(join(dataDir, 'window', 'native-texts.json'), JSON.stringify(texts));
    const electron = await startMain();
    await electron.ready();
    electron.connectPage().emit('exit', 1);
    expect(electron.errorBoxes).toEqual([expect.stringMatching(/^«.*»$/)]);
  });

  it('after it has said why it cannot open is explained once', async () => {
    const electron = await startMain();
    await electron.ready();
    const host = electron.connectPage();
    host.emit('message', { type: 'failed', code: 'storage.full', message: 'SQLITE_FULL' });
    host.emit('exit', 1);
    expect(electron.errorBoxes).toEqual([ENGLISH_TEXTS.diskFull]);
  });
});

it('says that the data folder cannot be used when it cannot be made', async () => {
  const denied = Object.assign(new Error('EACCES: permission denied, mkdir'), { code: 'EACCES' });
  vi.doMock('@parley/file-permissions', () => ({
    keepNewFilesPrivate: () => undefined,
    preparePrivateFolder: () => {
      throw denied;
    },
  }));
  const electron = await startMain().finally(() => vi.doUnmock('@parley/file-permissions'));
  electron.becomeReady();
  await vi.waitFor(() => expect(electron.errorBoxes).toEqual([ENGLISH_TEXTS.folderUnreadable]));
  expect(electron.app.quits).toBe(1);
  expect(electron.windows).toEqual([]);
});

describe('a window whose process ended', () => {
  const lose = (electron: Awaited<ReturnType<typeof startMain>>, reason: string): void =>
    void electron.app.emit('render-process-gone', {}, electron.only().webContents, { reason });

  it('is loaded again, at most twice a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const electron = await startMain();
    await electron.ready();
    const window = electron.only();
    for (const expected of [1, 2, 2]) {
      lose(electron, 'crashed');
      expect(window.reloads).toBe(expected);
    }
    vi.advanceTimersByTime(60_001);
    lose(electron, 'oom');
    expect(window.reloads).toBe(3);
  });

  it('is left alone when it was closed', async () => {
    const electron = await startMain();
    await electron.ready();
    lose(electron, 'clean-exit');
    electron.only().isGone = true;
    lose(electron, 'crashed');
    expect(electron.only().reloads).toBe(0);
  });
});

describe('a process that exits on its own', () => {
  const crashes = (): unknown[] =>
    existsSync(join(dataDir, 'crashes'))
      ? readdirSync(join(dataDir, 'crashes')).map((name) =>
          JSON.parse(readFileSync(join(dataDir, 'crashes', name), 'utf8')),
        )
      : [];

  it('is noted as a crash of the window or the host', async () => {
    const electron = await startMain();
    await electron.ready();
    electron.app.emit('render-process-gone', {}, electron.only().webContents, { reason: 'oom' });
    expect(crashes()).toMatchObject([{ source: 'window', kind: 'Window-oom', frames: [] }]);
    electron.app.emit('child-process-gone', {}, { type: 'Utility', name: 'Parley host', reason: 'crashed' });
    electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed' });
    expect(crashes()).toHaveLength(3);
    expect(crashes()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ source: 'host', kind: 'Host-crashed' }),
        expect.objectContaining({ source: 'main', kind: 'GPU-crashed' }),
      ]),
    );
  });

  it('is not noted when it was ended, or noted its own error', async () => {
    const electron = await startMain();
    await electron.ready();
    for (const reason of ['clean-exit', 'killed', 'abnormal-exit'])
      electron.app.emit('child-process-gone', {}, { type: 'Utility', name: 'Parley host', reason });
    expect(crashes()).toEqual([]);
  });
});
