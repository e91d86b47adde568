/** Finds configured folders that do not exist, so that a typo is noticed before learners see an empty page. */
import { statSync } from 'node:fs';
import type { Config } from './config.ts';

/** Returns a sentence for each configured folder that is missing. */
export function findMissingFolders({ siteDir, downloadsDir }: Pick<Config, 'siteDir' | 'downloadsDir'>): string[] {
  const folders = { SITE_DIR: siteDir, DOWNLOADS_DIR: downloadsDir };
  return Object.entries(folders).flatMap(([variable, folder]) =>
    folder === null || statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
      ? []
      : [`${variable}: there is no folder ${folder}. Create it, or correct or unset ${variable}.`],
  );
}
