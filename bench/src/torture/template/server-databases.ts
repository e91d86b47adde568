/** Manages the server databases of the runs, which are copies of the template. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../../sync-server/src/index.ts';
import { startPostgres } from '../../processes/start-postgres.ts';
import type { ServerStorage } from '../server-starter.ts';
import { restoreRowsInPlace } from './restore-rows-in-place.ts';

export type TemplateName = 'current' | 'old';

export interface ServerDatabases {
  /** Creates the empty database that becomes the template. */
  createTemplateStorage: () => Promise<ServerStorage>;
  /** Creates a second template as the first released version would have left it. */
  createOldTemplate: (age: (place: ServerStorage) => Promise<void>) => Promise<void>;
  /** Copies a template. A moved copy looks like another machine, where nothing reveals its origin. */
  copyTemplate: (template: TemplateName, runDir: string, how: { isMoved: boolean }) => Promise<ServerStorage>;
  /** Backs up a stopped server; only the last backup counts. */
  backUp: (place: ServerStorage, runDir: string) => Promise<void>;
  /** Restores the last backup. In place, only the rows are restored, so nothing else reveals it. */
  restore: (place: ServerStorage, runDir: string, how: { isInPlace: boolean }) => Promise<ServerStorage>;
  readonly canRestoreInPlace: boolean;
  remove: (runDir: string) => Promise<void>;
  close: () => Promise<void>;
}

export function openPgliteDatabases(dir: string): ServerDatabases {
  const folderOf = (name: TemplateName): string => join(dir, `server-${name}`);
  return {
    createTemplateStorage: async () => {
      await mkdir(folderOf('current'), { recursive: true });
      return { DATA_DIR: folderOf('current') };
    },
    createOldTemplate: async (age) => {
      cpSync(folderOf('current'), folderOf('old'), { recursive: true });
      await age({ DATA_DIR: folderOf('old') });
    },
    copyTemplate: async (template, runDir, { isMoved }) => {
      const target = join(runDir, 'server');
      // For a thousand small files, the synchronous call is ten times as fast.
      cpSync(folderOf(template), target, { recursive: true });
      // Files beside the folder belong to it.
      const beside = isMoved ? [] : readdirSync(dir).filter((name) => name.startsWith(`server-${template}.`));
      for (const name of beside) cpSync(join(dir, name), `${target}${name.slice(`server-${template}`.length)}`);
      return { DATA_DIR: target };
    },
    canRestoreInPlace: false,
    backUp: async (place, runDir) => {
      rmSync(backupFolder(runDir), { recursive: true, force: true });
      cpSync(requireFolder(place), backupFolder(runDir), { recursive: true });
    },
    // Files beside the folder are not restored.
    restore: async (place, runDir) => {
      rmSync(requireFolder(place), { recursive: true, force: true });
      cpSync(backupFolder(runDir), requireFolder(place), { recursive: true });
      return place;
    },
    // The database is removed with the folder of the run.
    remove: async () => undefined,
    close: async () => undefined,
  };
}

const backupFolder = (runDir: string): string => join(runDir, 'backups', 'server');

function requireFolder(place: ServerStorage): string {
  if (!('DATA_DIR' in place)) throw new Error('a database in a cluster has no folder');
  return place.DATA_DIR;
}

/** One cluster serves all runs; a killed server leaves it running, as in production. */
export async function openPostgresDatabases(dir: string): Promise<ServerDatabases> {
  const clusterDir = join(dir, 'cluster');
  await mkdir(clusterDir, { recursive: true });
  const cluster = await startPostgres(clusterDir, ['fsync=off', 'max_connections=200']);
  const admin = await openDatabase({ type: 'postgres', url: cluster.url });
  const nameByRun = new Map<string, string>();
  const nameOf = (runDir: string): string => nameByRun.get(runDir) ?? '';
  const backupOf = (runDir: string): string => `${nameOf(runDir)}_backup`;
  const drop = async (name: string): Promise<void> => {
    await admin.db.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  let made = 0;
  const urlOf = (name: string): string => new URL(`/${name}`, cluster.url).href;
  const create = async (name: string, template: string): Promise<ServerStorage> => {
    await admin.db.execute(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    return { DATABASE_URL: urlOf(name) };
  };
  return {
    createTemplateStorage: () => create('torture_current', 'template0'),
    createOldTemplate: async (age) => age(await create('torture_old', 'torture_current')),
    copyTemplate: async (template, runDir, { isMoved }) => {
      made += 1;
      const name = `torture_run_${made}`;
      nameByRun.set(runDir, name);
      const place = await create(name, `torture_${template}`);
      // The server takes a copy for another database unless the stored identity is cleared.
      if (!isMoved && template === 'current') await clearServerIdentity(urlOf(name));
      return place;
    },
    canRestoreInPlace: true,
    backUp: async (_place, runDir) => {
      await drop(backupOf(runDir));
      await create(backupOf(runDir), nameOf(runDir));
    },
    restore: async (place, runDir, { isInPlace }) => {
      if (isInPlace) {
        const folder = join(dir, 'rows', nameOf(runDir));
        await mkdir(folder, { recursive: true });
        await chmod(folder, 0o777);
        await restoreRowsInPlace({ from: urlOf(backupOf(runDir)), to: urlOf(nameOf(runDir)), folder });
        return place;
      }
      await drop(nameOf(runDir));
      return create(nameOf(runDir), backupOf(runDir));
    },
    remove: async (runDir) => {
      if (!nameByRun.has(runDir)) return;
      await drop(nameOf(runDir));
      await drop(backupOf(runDir));
    },
    close: async () => {
      await admin.close();
      await cluster.stop();
    },
  };
}

async function clearServerIdentity(url: string): Promise<void> {
  const copy = await openDatabase({ type: 'postgres', url });
  try {
    await copy.db.execute('UPDATE server_state SET identity = NULL');
  } finally {
    await copy.close();
  }
}
