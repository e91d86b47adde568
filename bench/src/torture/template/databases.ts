/** Where a run's server keeps its rows: a copy of the template, made in a moment. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../../sync-server/src/index.ts';
import { startPostgres } from '../../sync/postgres.ts';
import type { ServerPlace } from '../server.ts';
import { copyRowsBack } from './copy-rows-back.ts';

export type TemplateName = 'current' | 'old';

export interface ServerDatabases {
  /** Empty, to be filled once. */
  templatePlace: () => Promise<ServerPlace>;
  /** The template as the first version that ever shipped would have left it. */
  ageTemplate: (age: (place: ServerPlace) => Promise<void>) => Promise<void>;
  /** Moved, it stands on another machine, where nothing tells that it is the same. */
  copyOf: (template: TemplateName, runDir: string, how: { isMoved: boolean }) => Promise<ServerPlace>;
  /** Of a server that is stopped; the last backup is the one that counts. */
  backUp: (place: ServerPlace, runDir: string) => Promise<void>;
  /** In place, the database stays and only its rows are put back: nothing outside the rows can tell. */
  restore: (place: ServerPlace, runDir: string, how: { isInPlace: boolean }) => Promise<ServerPlace>;
  readonly canRestoreInPlace: boolean;
  remove: (runDir: string) => Promise<void>;
  close: () => Promise<void>;
}

export function openFolders(dir: string): ServerDatabases {
  const folderOf = (name: TemplateName): string => join(dir, `server-${name}`);
  return {
    templatePlace: async () => {
      await mkdir(folderOf('current'), { recursive: true });
      return { DATA_DIR: folderOf('current') };
    },
    ageTemplate: async (age) => {
      cpSync(folderOf('current'), folderOf('old'), { recursive: true });
      await age({ DATA_DIR: folderOf('old') });
    },
    copyOf: async (template, runDir, { isMoved }) => {
      const target = join(runDir, 'server');
      // A thousand small files: the synchronous call copies them in a tenth of the time.
      cpSync(folderOf(template), target, { recursive: true });
      // What lies beside the folder belongs to it.
      const beside = isMoved ? [] : readdirSync(dir).filter((name) => name.startsWith(`server-${template}.`));
      for (const name of beside) cpSync(join(dir, name), `${target}${name.slice(`server-${template}`.length)}`);
      return { DATA_DIR: target };
    },
    canRestoreInPlace: false,
    backUp: async (place, runDir) => {
      rmSync(backupIn(runDir), { recursive: true, force: true });
      cpSync(folderIn(place), backupIn(runDir), { recursive: true });
    },
    // What lies beside the folder stays as it is.
    restore: async (place, runDir) => {
      rmSync(folderIn(place), { recursive: true, force: true });
      cpSync(backupIn(runDir), folderIn(place), { recursive: true });
      return place;
    },
    // It goes with the run's folder.
    remove: async () => undefined,
    close: async () => undefined,
  };
}

const backupIn = (runDir: string): string => join(runDir, 'backups', 'server');

function folderIn(place: ServerPlace): string {
  if (!('DATA_DIR' in place)) throw new Error('no folder is known of a database in a cluster');
  return place.DATA_DIR;
}

/** One cluster for the whole command; a killed server leaves it standing, as it would in production. */
export async function openCluster(dir: string): Promise<ServerDatabases> {
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
  const create = async (name: string, template: string): Promise<ServerPlace> => {
    await admin.db.execute(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    return { DATABASE_URL: urlOf(name) };
  };
  return {
    templatePlace: () => create('torture_current', 'template0'),
    ageTemplate: async (age) => age(await create('torture_old', 'torture_current')),
    copyOf: async (template, runDir, { isMoved }) => {
      made += 1;
      const name = `torture_run_${made}`;
      nameByRun.set(runDir, name);
      const place = await create(name, `torture_${template}`);
      // A copy is another database to the server, unless it has forgotten which it was.
      if (!isMoved && template === 'current') await forgetIdentity(urlOf(name));
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
        await copyRowsBack({ from: urlOf(backupOf(runDir)), to: urlOf(nameOf(runDir)), folder });
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

async function forgetIdentity(url: string): Promise<void> {
  const copy = await openDatabase({ type: 'postgres', url });
  try {
    await copy.db.execute('UPDATE server_state SET identity = NULL');
  } finally {
    await copy.close();
  }
}
