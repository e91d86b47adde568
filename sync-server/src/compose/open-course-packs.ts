/** Imports and exports course packs on the command line, with the server's database and storage; the server does not have to be running. */
import type { CoursePacks } from '../authoring/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { createMedia } from '../media/index.ts';
import type { Config } from './config/config.ts';
import { connectStorage } from './connect-storage.ts';
import { createContentFeatures } from './create-authoring-features.ts';

export async function openCoursePacks(config: Config, { db }: DatabaseConnection): Promise<CoursePacks> {
  const mediaOptions = await connectStorage(config.media);
  const now = (): Date => new Date();
  return createContentFeatures({
    db,
    now,
    // Open apps look for changes every few minutes; a running server pokes them at its next change.
    onCatalogueChanged: () => undefined,
    media: createMedia({ db, now, ...mediaOptions }),
    mediaOptions,
  }).packs;
}
