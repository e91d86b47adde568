/** Lends PostgreSQL databases to tests. Each is a copy of a migrated template, or one that another test has closed, without its rows. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type DatabaseConnection, openDatabase } from '../src/db/client.ts';
import { type EmptyDatabase, type Execute, readEmptyDatabase } from './empty-database.ts';
import { renewEpoch } from './memory-database.ts';
import { databaseUrl, TEMPLATE } from './postgres-cluster.ts';

export interface PostgresDatabases {
  open: () => Promise<DatabaseConnection>;
  /** Opens one database for two servers. */
  openForTwo: () => Promise<[DatabaseConnection, DatabaseConnection]>;
}

interface PostgresDatabase {
  name: string;
  empty: EmptyDatabase;
}

/** Test files that share a process share them. */
const idle: PostgresDatabase[] = [];

export function lendPostgresDatabases(port: number): PostgresDatabases {
  async function withConnection<Value>(name: string, work: (execute: Execute) => Promise<Value>): Promise<Value> {
    const client = new Client({ connectionString: databaseUrl(port, name) });
    await client.connect();
    try {
      // The driver returns one result for one statement, and a list for several.
      return await work(async (statements) => [await client.query(statements)].flat());
    } finally {
      await client.end();
    }
  }

  async function create(): Promise<PostgresDatabase> {
    const name = `parley_${randomUUID().replaceAll('-', '')}`;
    await withConnection('postgres', (execute) =>
      execute(`create database ${name} template ${TEMPLATE} strategy file_copy`),
    );
    return { name, empty: await withConnection(name, readEmptyDatabase) };
  }

  const connect = ({ name }: PostgresDatabase): Promise<DatabaseConnection> =>
    openDatabase({ type: 'postgres', url: databaseUrl(port, name) }, { migrates: false });

  return {
    open: async () => {
      const database = idle.pop() ?? (await create());
      const connection = await connect(database);
      await renewEpoch(connection.db);
      let isClosed = false;
      return {
        ...connection,
        close: async () => {
          if (isClosed) return;
          isClosed = true;
          await connection.close();
          // A database that a test has broken is left alone.
          if (await withConnection(database.name, database.empty.restore).catch(() => false)) idle.push(database);
        },
      };
    },
    openForTwo: async () => {
      const database = await create();
      const first = await connect(database);
      await renewEpoch(first.db);
      return [first, await connect(database)];
    },
  };
}
