/** Starts the server under attack in its own process, as `npm run server` does. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ParleyServer, startParleyServer } from '../processes/start-parley-server.ts';
import { startPostgres } from '../processes/start-postgres.ts';

export const SERVER_KINDS = ['PGlite', 'PostgreSQL'] as const;
/** On PostgreSQL the server runs in production mode. */
export type ServerKind = (typeof SERVER_KINDS)[number];

export interface Target {
  kind: ServerKind;
  url: string;
  port: number;
  dataDir: string;
  /** Null on PGlite, which only the server can open. */
  databaseUrl: string | null;
  /** CPU time of the server process since it started. */
  cpuSeconds: () => Promise<number>;
  /** Resident memory of the server's process, MiB. */
  residentMb: () => number;
}

const PRODUCTION = {
  NODE_ENV: 'production',
  ACCESS: 'open',
  PUBLIC_URL: 'https://parley.example',
  SECRET: randomBytes(32).toString('base64'),
  MAIL: 'files',
};

/** Starts a server for `work` and always stops it. */
export async function withTarget<Value>(
  { kind, environment }: { kind: ServerKind; environment: Record<string, string> },
  work: (target: Target) => Promise<Value>,
): Promise<Value> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-attack-'));
  const postgres = kind === 'PostgreSQL' ? await startPostgres(dir) : null;
  let server: ParleyServer | null = null;
  try {
    const dataDir = join(dir, 'server');
    const database = postgres === null ? {} : { ...PRODUCTION, DATABASE_URL: postgres.url };
    const started = await startParleyServer({ ...database, DATA_DIR: dataDir, ...environment });
    server = started;
    const { port, pid, cpuSeconds } = started;
    return await work({
      kind,
      url: `http://127.0.0.1:${port}`,
      port,
      dataDir,
      databaseUrl: postgres?.url ?? null,
      cpuSeconds,
      residentMb: () => residentMb(pid),
    });
  } finally {
    await server?.stop();
    await postgres?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Reads resident memory from /proc; NaN on systems without it. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
