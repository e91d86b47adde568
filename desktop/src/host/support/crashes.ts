/**
 * Records crashes on this device, and sends the records to the school's server if the learner has read them and agrees.
 */
import { type Crash, type CrashReport, toCrashReport } from '@parley/contract';
import { ok } from '@parley/domain';
import { arch, platform, release } from 'node:os';
import type { HostResult } from '../result/index.ts';
import type { Clock } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';

/** Implemented by the shell, because each of its processes records its own crashes, even before a host is open. */
export interface CrashFolder {
  /** Newest first. */
  list(): CrashReport[];
  add(report: CrashReport): void;
  remove(ids: readonly string[]): void;
}

export interface Crashes {
  list(): CrashReport[];
  /** Records an error in a screen. */
  record(crash: Crash): void;
  /** Stops at the first report that cannot be sent; those before it have been deleted here. */
  send(ids: readonly string[]): Promise<HostResult<{ sent: number }>>;
  deleteAll(): void;
}

export interface CrashParts {
  folder: CrashFolder | null;
  version: string;
  clock: Clock;
  newId: () => string;
  sync: Pick<Sync, 'request'>;
}

export function createCrashes({ folder, version, clock, newId, sync }: CrashParts): Crashes {
  const list = (): CrashReport[] => folder?.list() ?? [];
  return {
    list,
    record(crash) {
      const system = { platform: platform(), release: release(), arch: arch() };
      folder?.add(toCrashReport(crash, { ...system, id: newId(), at: clock.now(), source: 'window', version }));
    },
    async send(ids) {
      let sent = 0;
      for (const report of list().filter(({ id }) => ids.includes(id))) {
        const answer = await sync.request((server) => server.crashes.report(report));
        if (!answer.ok) return answer;
        folder?.remove([report.id]);
        sent += 1;
      }
      return ok({ sent });
    },
    deleteAll: () => folder?.remove(list().map(({ id }) => id)),
  };
}
