/**
 * A PostgreSQL with server nodes, and learners who push, pull and listen. The load generator, the nodes and the
 * database share the cores of the machine.
 */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type ParleyServer, startParleyServer } from '../processes/start-parley-server.ts';
import { startPostgres } from '../processes/start-postgres.ts';
import { measureDatabaseBaseline } from './database-baseline.ts';
import { findHighestRate, type Load, type LoadFigures, measureLoad } from './measure-load.ts';
import { openPokeListeners, type PokeListeners } from './poke-listeners.ts';
import { cloneLearners, createFirstLearner, type LoadDevice } from './seed-learners.ts';

/** The highest rate whose p99 stays within the limit; null when none does. */
export type HighestRate = { perSecond: number; figures: LoadFigures } | null;

export interface LoadTest {
  startNode: () => Promise<ParleyServer>;
  addLearners: (count: number, rowsEach: number) => Promise<LoadDevice[]>;
  findHighestRate: (
    kind: Load['kind'],
    devices: readonly LoadDevice[],
    at: readonly ParleyServer[],
  ) => Promise<HighestRate>;
  /** Transactions per second of the database alone, with the same lock, row and commit. */
  measureDatabase: (devices: readonly LoadDevice[]) => Promise<number>;
  /** Opens a poke connection for each device, and returns how much memory the node takes at rest before and after that. */
  listen: (
    devices: readonly LoadDevice[],
    at: ParleyServer,
  ) => Promise<{ listeners: PokeListeners; startedMb: number; listeningMb: number }>;
  stop: () => Promise<void>;
}

export const LIMIT = { p99Ms: 100 };
/** How long a node rests before its memory is measured. */
const IDLE_MS = 10_000;
/** A node that has just started is slow until its code is compiled. */
const WARM_UP = { perSecond: 100, seconds: 5 };

/** Resident memory from /proc; NaN on systems without it. */
export function residentMb({ pid }: ParleyServer): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

const urlOf = ({ port }: ParleyServer): string => `http://127.0.0.1:${port}`;

/** Each rate is sustained for this many seconds. */
export async function openLoadTest({ seconds }: { seconds: number }): Promise<LoadTest> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-load-'));
  await chmod(dir, 0o755);
  const postgres = await startPostgres(dir);
  const sql = new pg.Client({ connectionString: postgres.url });
  await sql.connect();
  const nodes: ParleyServer[] = [];
  let firstLearner: LoadDevice | null = null;

  async function startNode(): Promise<ParleyServer> {
    const node = await startParleyServer({ DATABASE_URL: postgres.url });
    nodes.push(node);
    return node;
  }

  return {
    startNode,
    addLearners: async (count, rowsEach) => {
      const node = nodes[0] ?? (await startNode());
      firstLearner ??= await createFirstLearner(urlOf(node), sql);
      return cloneLearners(sql, firstLearner, { count, rowsEach });
    },
    findHighestRate: async (kind, devices, at) => {
      const load = { urls: at.map(urlOf), devices, seconds, kind };
      await measureLoad({ ...load, ...WARM_UP });
      return findHighestRate(load, LIMIT);
    },
    measureDatabase: (devices) => measureDatabaseBaseline(postgres.url, devices, seconds),
    listen: async (devices, at) => {
      const startedMb = residentMb(at);
      const listeners = await openPokeListeners(urlOf(at), devices);
      await wait(IDLE_MS);
      return { listeners, startedMb, listeningMb: residentMb(at) };
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      await sql.end().catch(() => undefined);
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
