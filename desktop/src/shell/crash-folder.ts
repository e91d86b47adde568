/**
 * Keeps the newest crash records of this installation as files, each of which a process can write while it is ending.
 */
import { type Crash, CrashReport, type CrashSource, MAX_KEPT_CRASHES, toCrashReport } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import type { CrashFolder } from '../host/index.ts';

const MAX_FILE_BYTES = 10_000;
const SUFFIX = '.json';

export function openCrashFolder(dataDir: string): CrashFolder {
  const folder = join(dataDir, 'crashes');
  const fileOf = (id: string): string => join(folder, `${id}${SUFFIX}`);

  function list(): CrashReport[] {
    let names: string[];
    try {
      names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
    } catch {
      return [];
    }
    const reports = names.flatMap((name) => readReport(join(folder, name)) ?? []);
    return reports.toSorted((a, b) => b.at.localeCompare(a.at));
  }

  return {
    list,
    add(report) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(report.id), JSON.stringify(report), { mode: 0o600 });
      this.remove(
        list()
          .slice(MAX_KEPT_CRASHES)
          .map(({ id }) => id),
      );
    },
    remove(ids) {
      for (const id of ids) rmSync(fileOf(id), { force: true });
    },
  };
}

/** Null for a file that is not a report; such a file is left alone, because it is not ours. */
function readReport(file: string): CrashReport | null {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) return null;
    return CrashReport.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

export interface CrashRecorder {
  folder: CrashFolder;
  source: CrashSource;
  version: string;
}

/** Records a crash of a process. A crash that cannot be recorded must not cause another one. */
export function recordCrash({ folder, source, version }: CrashRecorder, crash: Crash): void {
  const system = { platform: platform(), release: release(), arch: arch() };
  try {
    folder.add(toCrashReport(crash, { ...system, id: randomUUID(), at: new Date(), source, version }));
  } catch {
    // For example on a full disk.
  }
}

/**
 * Records the error that is about to end this process, without affecting how the process ends. Returns a function that
 * stops it.
 */
export function recordUncaughtErrors(recorder: CrashRecorder): () => void {
  const record = (error: unknown): void => recordCrash(recorder, toCrash(error));
  process.on('uncaughtExceptionMonitor', record);
  return () => void process.off('uncaughtExceptionMonitor', record);
}

function toCrash(error: unknown): Crash {
  if (!(error instanceof Error)) return { kind: 'Error' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { kind: error.name, code, stack: error.stack };
}
