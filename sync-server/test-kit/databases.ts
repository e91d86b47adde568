/** Runs test suites on both databases that the server supports. */
import { resolve } from 'node:path';
import { afterAll, describe, inject } from 'vitest';
import type { DatabaseConnection } from '../src/db/client.ts';
import { openMemoryDatabase } from './memory-database.ts';
import { lendPostgresDatabases, type PostgresDatabases } from './postgres-database.ts';

interface DatabaseKind extends Pick<PostgresDatabases, 'open'> {
  name: 'PGlite' | 'PostgreSQL';
  /** Opens one database for two servers; null when the database cannot be shared. */
  openForTwo: PostgresDatabases['openForTwo'] | null;
  /** Why the database cannot run on this machine; null when it can. */
  trouble: string | null;
}

const pglite: DatabaseKind = { name: 'PGlite', open: openMemoryDatabase, openForTwo: null, trouble: null };

function postgres(): DatabaseKind {
  const cluster = inject('postgres');
  const name = 'PostgreSQL';
  if (cluster.status === 'running') return { name, ...lendPostgresDatabases(cluster.port), trouble: null };
  const { reason } = cluster;
  console.warn(`${name} cannot start on this machine, so its tests are skipped: ${reason}`);
  const open = (): Promise<never> => Promise.reject(new Error(reason));
  return { name, open, openForTwo: open, trouble: reason };
}

/**
 * Shares one database among suites with separate learners, because opening one takes longer than most suites. Each suite starts its own
 * server on it.
 */
function shareDatabase(open: () => Promise<DatabaseConnection>): {
  open: () => Promise<DatabaseConnection>;
  close: () => Promise<void>;
} {
  let opened: Promise<DatabaseConnection> | null = null;
  return {
    open: async () => {
      opened ??= open();
      // The notification channel has one reader, and closing it would also close it for the next suite.
      return { ...(await opened), channel: null, close: async () => undefined };
    },
    close: async () => (await opened)?.close(),
  };
}

/** `npm test -- PATH` of a suite selects that suite. */
const SELECTED_SUITE = process.env['PARLEY_TEST_SUITE'];

/** `npm test -- --database NAME` selects one database, and `npm test` the first of them that can run on this machine. */
function selectDatabases(selected: string | undefined): readonly DatabaseKind[] {
  if (selected === undefined || selected === '') return [pglite, postgres()];
  if (selected === 'pglite') return [pglite];
  if (selected === 'postgres') return [postgres()];
  if (selected === 'first') {
    const first = postgres();
    return [first.trouble === null ? first : pglite];
  }
  throw new Error(`PARLEY_TEST_DATABASE must be pglite, postgres or first, not "${selected}".`);
}

export interface DatabaseSuiteContext extends Pick<DatabaseKind, 'name' | 'open' | 'openForTwo'> {
  /** One database shared by all callers, closed at the end. */
  openShared: DatabaseKind['open'];
  /** Describes the suite, unless another path was selected. `file` is relative to the test file. */
  runSuite: (title: string, file: string, suite: () => void) => void;
}

/** Runs the same suites on PGlite and on PostgreSQL, so that both behave alike. `dir` is the folder of the calling test file. */
export function onBothDatabases(dir: string, suites: (on: DatabaseSuiteContext) => void): void {
  for (const database of selectDatabases(process.env['PARLEY_TEST_DATABASE'])) {
    const { run, closeShared } = planSuites(database, dir, suites);
    if (run.length === 0) continue;
    const { name, trouble } = database;
    const title = trouble === null ? `on ${name}` : `on ${name} (cannot start: ${trouble})`;
    describe.skipIf(trouble !== null)(title, () => {
      afterAll(closeShared);
      for (const { title, suite } of run) describe(title, suite);
    });
  }
}

interface SuitePlan {
  run: { title: string; suite: () => void }[];
  closeShared: () => Promise<void>;
}

function planSuites(database: DatabaseKind, dir: string, suites: (on: DatabaseSuiteContext) => void): SuitePlan {
  const run: SuitePlan['run'] = [];
  const { name, open, openForTwo } = database;
  const shared = shareDatabase(open);
  const runSuite: DatabaseSuiteContext['runSuite'] = (title, file, suite) => {
    if (!SELECTED_SUITE || resolve(dir, file) === resolve(SELECTED_SUITE)) run.push({ title, suite });
  };
  suites({ name, open, openForTwo, openShared: shared.open, runSuite });
  return { run, closeShared: shared.close };
}
