/** Where a run's server keeps its rows: a copy of the template, made in a moment. */
import { cpSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../../sync-server/src/index.ts';
import { startPostgres } from '../../sync/postgres.ts';
import type { ServerPlace } from '../server.ts';

export type TemplateName = 'current' | 'old';

export interface ServerDatabases {
  /** Empty, to be filled once. */
  templatePlace: () => Promise<ServerPlace>;
  /** The template as the first version that ever shipped would have left it. */
  ageTemplate: (age: (place: ServerPlace) => Promise<void>) => Promise<void>;
  copyOf: (template: TemplateName, runDir: string) => Promise<ServerPlace>;
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
    copyOf: async (template, runDir) => {
      const target = join(runDir, 'server');
      // A thousand small files: the synchronous call copies them in a tenth of the time.
      cpSync(folderOf(template), target, { recursive: true });
      return { DATA_DIR: target };
    },
    // It goes with the run's folder.
    remove: async () => undefined,
    close: async () => undefined,
  };
}

/** One cluster for the whole command; a killed server leaves it standing, as it would in production. */
export async function openCluster(dir: string): Promise<ServerDatabases> {
  const clusterDir = join(dir, 'cluster');
  await mkdir(clusterDir, { recursive: true });
  const cluster = await startPostgres(clusterDir, ['fsync=off', 'max_connections=200']);
  const admin = await openDatabase({ type: 'postgres', url: cluster.url });
  const nameByRun = new Map<string, string>();
  let made = 0;
  const urlOf = (name: string): string => new URL(`/${name}`, cluster.url).href;
  const create = async (name: string, template: string): Promise<ServerPlace> => {
    await admin.db.execute(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    return { DATABASE_URL: urlOf(name) };
  };
  return {
    templatePlace: () => create('torture_current', 'template0'),
    ageTemplate: async (age) => age(await create('torture_old', 'torture_current')),
    copyOf: (template, runDir) => {
      made += 1;
      nameByRun.set(runDir, `torture_run_${made}`);
      return create(`torture_run_${made}`, `torture_${template}`);
    },
    remove: async (runDir) => {
      const name = nameByRun.get(runDir);
      if (name !== undefined) await admin.db.execute(`DROP DATABASE ${name} WITH (FORCE)`);
    },
    close: async () => {
      await admin.close();
      await cluster.stop();
    },
  };
}
