/** State shared by all devices of a run: the server with its restarts, the proxies and the counts. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultCounts } from '../counts.ts';
import type { Fault } from '../faults.ts';
import type { DeviceProcess, ProcessPool } from '../process-pool.ts';
import { type FaultyProxy, openFaultyProxy } from '../proxy/faulty-proxy.ts';
import type { RunningServer, ServerStorage, ServerStarter } from '../server-starter.ts';
import type { CatalogueIds } from '../plan/catalogue-ids.ts';
import type { DocumentedTable } from '../oracle/protocol-document.ts';
import type { ServerRestore } from '../plan/plan.ts';
import type { ServerDatabases } from '../template/server-databases.ts';
import type { Template } from '../template/build-template.ts';

/** State shared by all runs of a command. */
export interface TortureSetup {
  template: Template;
  ids: CatalogueIds;
  pool: ProcessPool;
  starter: ServerStarter;
  counts: FaultCounts;
  document: ReadonlyMap<string, DocumentedTable>;
  databases: ServerDatabases;
}

export interface RunEnvironment extends TortureSetup {
  dir: string;
  /** Responses that no correct device should get, and other anomalies. */
  anomalies: string[];
  /** Processes with an open device, which are killed when the run fails. */
  activeProcesses: Set<DeviceProcess>;
  openProxy: () => Promise<FaultyProxy>;
  url: () => string;
  /** Only one restart runs at a time; a call during a restart does nothing. */
  killServer: (downMs: number) => void;
  /** Stops the server cleanly, copies its data, and starts it again. */
  backUpServer: () => Promise<void>;
  /** Kills the server, restores its last backup, and starts it. Does nothing without a backup. */
  restoreServer: (restore: ServerRestore) => Promise<void>;
  readonly wasRestored: boolean;
  /** Resolves when no restart is in progress. */
  whenServerIsUp: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openRunEnvironment(
  bench: TortureSetup,
  dir: string,
  firstPlace: ServerStorage,
): Promise<RunEnvironment> {
  const { starter, counts, databases } = bench;
  let storage = firstPlace;
  let server: RunningServer | null = await starter.start(storage);
  let restart: Promise<void> | null = null;
  let hasBackup = false;
  let restores = 0;
  const lines: FaultyProxy[] = [];
  const anomalies: string[] = [];
  const activeProcesses = new Set<DeviceProcess>();
  const countFault = (fault: Fault): void => counts.add(fault);

  const restartServer = async (downMs: number): Promise<void> => {
    countFault('kill_server');
    const killed = server;
    server = null;
    await killed?.kill();
    await pause(downMs);
    server = await starter.start(storage);
  };

  const backUpServer = async (): Promise<void> => {
    const stopped = server;
    server = null;
    await stopped?.stop();
    await databases.backUp(storage, dir);
    hasBackup = true;
    server = await starter.start(storage);
  };

  const restoreServer = async ({ isInPlace, isEpochAnnounced, downMs }: ServerRestore): Promise<void> => {
    countFault('restore_server');
    const isSamePlace = isInPlace && databases.canRestoreInPlace;
    if (isSamePlace) countFault('restore_in_place');
    const killed = server;
    server = null;
    await killed?.kill();
    await pause(downMs);
    storage = await databases.restore(storage, dir, { isInPlace: isSamePlace });
    // When rows are restored in place, only the operator can announce the restore.
    if (isEpochAnnounced) await starter.beginEpoch(storage);
    restores += 1;
    server = await starter.start(storage);
  };

  /** Runs restarts one after another. */
  const runExclusively = async (work: () => Promise<void>): Promise<void> => {
    const previous = restart ?? Promise.resolve();
    const task = previous.then(work);
    const settled = task.catch((error: unknown) => {
      anomalies.push(`the server cannot be restarted: ${error instanceof Error ? String(error.stack) : String(error)}`);
    });
    restart = settled;
    await settled;
    if (restart === settled) restart = null;
  };

  return {
    ...bench,
    dir,
    anomalies,
    activeProcesses,
    openProxy: async () => {
      const line = await openFaultyProxy({
        serverPort: () => server?.port ?? null,
        onFault: countFault,
        onUnexpectedResponse: (what) => void anomalies.push(`the server responded with ${what}`),
      });
      lines.push(line);
      return line;
    },
    url: () => `http://127.0.0.1:${server?.port ?? 0}`,
    killServer: (downMs) => {
      if (restart === null) void runExclusively(() => restartServer(downMs));
    },
    backUpServer: () => runExclusively(backUpServer),
    restoreServer: async (restore) => {
      if (hasBackup) await runExclusively(() => restoreServer(restore));
    },
    get wasRestored() {
      return restores > 0;
    },
    whenServerIsUp: async () => {
      await restart;
    },
    close: async () => {
      await restart;
      await Promise.all([...activeProcesses].map((process) => process.kill()));
      await Promise.all(lines.map((line) => line.close()));
      await server?.kill();
    },
  };
}
