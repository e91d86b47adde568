/** What the devices of a run share: the server, its restarts, and who is to be told what was thrown. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Counts } from '../counts.ts';
import type { Fault } from '../faults.ts';
import type { DeviceProcess, ProcessPool } from '../process-pool.ts';
import { type Line, openLine } from '../line/line.ts';
import type { RunningServer, ServerPlace, ServerStarter } from '../server.ts';
import type { CatalogueIds } from '../plan/catalogue-ids.ts';
import type { DocumentedTable } from '../oracle/protocol-document.ts';
import type { ServerRestore } from '../plan/plan.ts';
import type { ServerDatabases } from '../template/databases.ts';
import type { Template } from '../template/build-template.ts';

/** What every run of a command starts from. */
export interface Bench {
  template: Template;
  ids: CatalogueIds;
  pool: ProcessPool;
  starter: ServerStarter;
  counts: Counts;
  document: ReadonlyMap<string, DocumentedTable>;
  databases: ServerDatabases;
}

export interface World extends Bench {
  dir: string;
  /** Answers that no honest device should have been given, and other oddities. */
  oddities: string[];
  /** Processes that have a device open: a run that fails leaves none behind. */
  busy: Set<DeviceProcess>;
  openLine: () => Promise<Line>;
  url: () => string;
  /** One restart at a time; who asks while one is under way joins it. */
  killServer: (downMs: number) => void;
  /** Stopped in good order, copied, and started again. */
  backUpServer: () => Promise<void>;
  /** Killed, put back to its last backup, and started again; without a backup it is only killed. */
  restoreServer: (restore: ServerRestore) => Promise<void>;
  readonly wasRestored: boolean;
  /** Resolves when the server is up. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openWorld(bench: Bench, dir: string, firstPlace: ServerPlace): Promise<World> {
  const { starter, counts, databases } = bench;
  let place = firstPlace;
  let server: RunningServer | null = await starter.start(place);
  let restart: Promise<void> | null = null;
  let hasBackup = false;
  let restores = 0;
  const lines: Line[] = [];
  const oddities: string[] = [];
  const busy = new Set<DeviceProcess>();
  const throwFault = (fault: Fault): void => counts.add(fault);

  const restartServer = async (downMs: number): Promise<void> => {
    throwFault('kill_server');
    const killed = server;
    server = null;
    await killed?.kill();
    await pause(downMs);
    server = await starter.start(place);
  };

  const backUpServer = async (): Promise<void> => {
    const stopped = server;
    server = null;
    await stopped?.stop();
    await databases.backUp(place, dir);
    hasBackup = true;
    server = await starter.start(place);
  };

  const restoreServer = async ({ isInPlace, isTold, downMs }: ServerRestore): Promise<void> => {
    throwFault('restore_server');
    const isSamePlace = isInPlace && databases.canRestoreInPlace;
    if (isSamePlace) throwFault('restore_in_place');
    const killed = server;
    server = null;
    await killed?.kill();
    await pause(downMs);
    place = await databases.restore(place, dir, { isInPlace: isSamePlace });
    // Only the operator knows of rows that were put back where they were.
    if (isTold) await starter.beginEpoch(place);
    restores += 1;
    server = await starter.start(place);
  };

  /** One at a time. */
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const before = restart ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch((error: unknown) => {
      oddities.push(`the server cannot be restarted: ${error instanceof Error ? String(error.stack) : String(error)}`);
    });
    restart = settled;
    await settled;
    if (restart === settled) restart = null;
  };

  return {
    ...bench,
    dir,
    oddities,
    busy,
    openLine: async () => {
      const line = await openLine({
        serverPort: () => server?.port ?? null,
        onFault: throwFault,
        onOddAnswer: (what) => void oddities.push(`the server answered ${what}`),
      });
      lines.push(line);
      return line;
    },
    url: () => `http://127.0.0.1:${server?.port ?? 0}`,
    killServer: (downMs) => {
      if (restart === null) void inTurn(() => restartServer(downMs));
    },
    backUpServer: () => inTurn(backUpServer),
    restoreServer: async (restore) => {
      if (hasBackup) await inTurn(() => restoreServer(restore));
    },
    get wasRestored() {
      return restores > 0;
    },
    settled: async () => {
      await restart;
    },
    close: async () => {
      await restart;
      await Promise.all([...busy].map((process) => process.kill()));
      await Promise.all(lines.map((line) => line.close()));
      await server?.kill();
    },
  };
}
