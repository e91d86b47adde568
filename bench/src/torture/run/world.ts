/** What the devices of a run share: the server, its restarts, and who is to be told what was thrown. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Counts } from '../counts.ts';
import type { Fault } from '../faults.ts';
import type { DeviceProcess, ProcessPool } from '../process-pool.ts';
import { type Line, openLine } from '../line/line.ts';
import type { RunningServer, ServerPlace, ServerStarter } from '../server.ts';
import type { CatalogueIds } from '../plan/catalogue-ids.ts';
import type { Template } from '../template/build-template.ts';

/** What every run of a command starts from. */
export interface Bench {
  template: Template;
  ids: CatalogueIds;
  pool: ProcessPool;
  starter: ServerStarter;
  counts: Counts;
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
  /** Resolves when the server is up. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openWorld(bench: Bench, dir: string, place: ServerPlace): Promise<World> {
  const { starter, counts } = bench;
  let server: RunningServer | null = await starter.start(place);
  let restart: Promise<void> | null = null;
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
      restart ??= restartServer(downMs)
        .catch((error: unknown) => {
          oddities.push(`after a kill ${error instanceof Error ? error.message : String(error)}`);
        })
        .finally(() => {
          restart = null;
        });
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
