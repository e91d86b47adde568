/** Opens the server's database for course packs on the command line. */
import { openDatabase } from '../db/client.ts';
import { bundledStarter } from '../catalogue/index.ts';
import { createContentChanges } from './content-changes.ts';
import { type CoursePacks, createCoursePacks } from './course-packs.ts';

const DEFAULT_DATA_DIR = './data/server';

export async function openCoursePacks(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CoursePacks & { close: () => Promise<void> }> {
  const { DATABASE_URL: url, DATA_DIR: dir = DEFAULT_DATA_DIR } = environment;
  const database = await openDatabase(
    url === undefined || url === '' ? { type: 'folder', dir } : { type: 'postgres', url },
  );
  const { db } = database;
  const now = (): Date => new Date();
  const starter = new Map(bundledStarter().contents.map((content) => [content.id, content]));
  const changes = createContentChanges({
    db,
    now,
    // Open apps look for changes every few minutes; a running server pokes them at its next change.
    onCatalogueChanged: () => undefined,
    starterOf: (id) => starter.get(id),
  });
  return { ...createCoursePacks({ db, now, changes }), close: () => database.close() };
}
