/** Checks for `doctor` that the server can write its files, and that there is space for them. */
import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../compose/config/config.ts';
import { findMissingFolders } from '../../compose/config/find-missing-folders.ts';
import type { Finding } from '../command.ts';

const MIN_FREE_BYTES = 1_024 ** 3;

interface Folder {
  name: string;
  path: string;
  variable: string;
}

export function checkFolders(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'media' | 'siteDir' | 'downloadsDir'>,
): Finding[] {
  const { databaseUrl, dataDir, media } = config;
  const folders: Folder[] = [{ name: 'data folder', path: dataDir, variable: 'DATA_DIR' }];
  if (dirname(resolve(media.dir)) !== resolve(dataDir) || existsSync(media.dir))
    folders.push({ name: 'media folder', path: media.dir, variable: 'MEDIA_DIR' });
  return [
    ...folders.map(checkFolder),
    ...(databaseUrl === null ? checkParent(dataDir) : []),
    ...findMissingFolders(config).map((text) => ({ name: 'folders', isGood: false, text })),
  ];
}

function checkFolder({ name, path, variable }: Folder): Finding {
  const folder = findExisting(path);
  if (!statSync(folder).isDirectory())
    return { name, isGood: false, text: `${folder} is a file, and a folder is needed: correct ${variable}.` };
  if (!isWritable(folder))
    return { name, isGood: false, text: `${folder} is not writable: change its owner or ${variable}.` };
  const { bavail, bsize } = statfsSync(folder);
  const freeGiB = (bavail * bsize) / 1_024 ** 3;
  return bavail * bsize >= MIN_FREE_BYTES
    ? { name, isGood: true, text: `${path}, ${freeGiB.toFixed(1)} GiB free` }
    : { name, isGood: false, text: `only ${freeGiB.toFixed(2)} GiB free in ${path}: free some space.` };
}

/** With an embedded database, the server keeps the file by which it notices a restore next to its folder. */
function checkParent(dataDir: string): Finding[] {
  const parent = dirname(resolve(dataDir));
  return !existsSync(parent) || isWritable(parent)
    ? []
    : [
        {
          name: 'folder above',
          isGood: false,
          text: `${parent} is not writable, and the server keeps a file next to ${dataDir}: choose a DATA_DIR one folder deeper.`,
        },
      ];
}

/** A folder that does not exist yet is created in its nearest existing parent. */
function findExisting(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Creates a folder to find out, because a disk can be read-only, and because root acts as the owner of the server's files. */
function isWritable(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, '.parley-doctor-')));
    return true;
  } catch {
    return false;
  }
}
