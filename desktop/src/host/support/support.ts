/** Writes a report about this installation, repairs its database and turns safe mode on and off. */
import { ok } from '@parley/domain';
import type { SyncStatus } from '@parley/contract';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, homedir, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { failed, type HostResult } from '../result/index.ts';
import type { Store } from '../store/index.ts';
import { runChecks } from './checks.ts';
import { readNewestLogLines } from './read-logs.ts';
import { withoutHomeFolder } from './without-home-folder.ts';

export interface Support {
  report(): Promise<{ text: string }>;
  saveReport(): HostResult<{ file: string }>;
  repair(): HostResult<void>;
  setSafeMode(isOn: boolean): HostResult<void>;
}

/** Reopens the current host; without it, neither repair nor safe mode is offered. */
export type Reopen = (request: { repair?: boolean; safeMode?: boolean }) => void;

export interface SupportParts {
  store: Store;
  platform: NodeJS.Platform;
  /** Null when this shell writes no log files. */
  logDir: string | null;
  version: string;
  scorer: string;
  isSafeMode: boolean;
  syncStatus: () => SyncStatus;
  serverUrl: () => string | null;
  askServer: () => Promise<string | null>;
  reopen: Reopen | null;
}

export function createSupport(parts: SupportParts): Support {
  const { store, platform, reopen } = parts;
  let shown: { text: string; at: Date } | null = null;

  async function write(at: Date): Promise<string> {
    const { state, waiting, rejected, unread, lastSyncedAt } = parts.syncStatus();
    const facts: [string, string][] = [
      ['written', at.toISOString()],
      ['parley', parts.version],
      ['system', `${platform} ${release()} ${arch()}, ${Math.round(totalmem() / 2 ** 30)} GiB`],
      ['node', process.version],
      ['scorer', parts.scorer],
      ['safe_mode', parts.isSafeMode ? 'on' : 'off'],
      ['server_address', parts.serverUrl() ?? 'none'],
      ['sync', `${state}, ${waiting} waiting, ${rejected} refused, ${unread} unread`],
      ['last_sync', lastSyncedAt?.toISOString() ?? 'never'],
      ['restored_from_backup', store.restoredFrom?.toISOString() ?? 'no'],
    ];
    const checks = await runChecks({ store, askServer: parts.askServer });
    const logs =
      parts.logDir === null ? ['This start of Parley writes no log files.'] : readNewestLogLines(parts.logDir);
    const lines = [
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      ...checks.map(({ name, result }) => `check ${name}: ${result}`),
      '',
      ...logs,
      '',
    ];
    return withoutHomeFolder(lines.join('\n'), { homeDir: homedir(), platform });
  }

  return {
    async report() {
      const at = store.clock.now();
      shown = { at, text: await write(at) };
      return { text: shown.text };
    },
    saveReport() {
      if (shown === null) return failed('request.invalid');
      const folder = join(store.dataDir, 'exports');
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `parley-report-${shown.at.toISOString().replaceAll(/[:.]/g, '-')}.txt`);
      writeFileSync(file, shown.text, { mode: 0o600 });
      return ok({ file });
    },
    repair() {
      if (reopen === null) return failed('request.invalid');
      reopen({ repair: true });
      return ok(undefined);
    },
    setSafeMode(isOn) {
      if (reopen === null) return failed('request.invalid');
      reopen({ safeMode: isOn });
      return ok(undefined);
    },
  };
}
