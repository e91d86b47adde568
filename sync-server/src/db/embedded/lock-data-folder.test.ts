import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DataFolderInUse, lockDataFolder } from './lock-data-folder.ts';

let dir: string;
let unlocks: (() => void)[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'parley-lock-'));
});
afterEach(() => {
  for (const unlock of unlocks) unlock();
  unlocks = [];
  vi.useRealTimers();
});

const lockFile = (): string => join(dir, 'server.lock');

/** Locks the folder as a server in the container with this name, where every server has the same process number. */
function lockIn(container?: string): () => void {
  const unlock = lockDataFolder(dir, ...(container === undefined ? [] : [container]));
  unlocks.push(unlock);
  return unlock;
}

function passMinutes(minutes: number): void {
  const at = new Date(Date.now() - minutes * 60_000);
  utimesSync(lockFile(), at, at);
}

describe('the lock of a data folder', () => {
  it('refuses a second container while the first one runs, and explains what to do', () => {
    lockIn('first');
    expect(() => lockIn('second')).toThrow(DataFolderInUse);
    expect(() => lockIn('second')).toThrow(
      /^Process \d+ on first has the database in .* open: stop the server first\. .* a minute/,
    );
  });

  it('is renewed while its server runs', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    lockIn('first');
    passMinutes(10);
    vi.advanceTimersByTime(10_000);
    expect(() => lockIn('second')).toThrow(DataFolderInUse);
  });

  it('passes to another container a minute after its server was killed', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const killed = lockIn('first');
    passMinutes(2);
    lockIn('second');
    expect(() => lockIn('third')).toThrow(/on second/);
    killed();
    expect(() => lockIn('third')).toThrow(/on second/);
  });

  it('passes to the first server after the computer was restarted, although another program has the number now', () => {
    writeFileSync(lockFile(), `${process.ppid}\n${hostname()}\n`);
    expect(() => lockIn()).toThrow(DataFolderInUse);
    passMinutes(uptime() / 60 + 5);
    expect(() => lockIn()).not.toThrow();
  });

  it('notifies the former holder, once it runs again', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const onLost = vi.fn<(dir: string) => void>();
    unlocks.push(lockDataFolder(dir, 'stopped', onLost));
    vi.advanceTimersByTime(10_000);
    expect(onLost).not.toHaveBeenCalled();
    passMinutes(2);
    lockIn('second');
    vi.advanceTimersByTime(10_000);
    expect(onLost).toHaveBeenCalledExactlyOnceWith(dir);
    expect(() => lockIn('third')).toThrow(/on second/);
  });

  it('holds while it is being written', () => {
    writeFileSync(lockFile(), '');
    expect(() => lockIn('second')).toThrow(/^Another process has the database/);
    passMinutes(2);
    expect(() => lockIn('second')).not.toThrow();
  });

  it('passes at once to the next server in the container of one that was killed', () => {
    lockIn('first');
    expect(() => lockIn('first')).not.toThrow();
  });

  it('passes at once when its server ends', () => {
    lockIn('first')();
    expect(readdirSync(dir)).toEqual([]);
    expect(() => lockIn('second')).not.toThrow();
  });

  it('of an earlier version, without a container, holds while its process runs', () => {
    writeFileSync(lockFile(), String(process.ppid));
    expect(() => lockIn()).toThrow(/^Process \d+ has the database .* stop the server first/);
    writeFileSync(lockFile(), String(process.pid));
    lockIn()();
    expect(existsSync(lockFile())).toBe(false);
  });
});
