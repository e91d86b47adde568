/** Histories of many pages, made where they lie: pushed they would take a test's whole time. */
import { sql } from 'drizzle-orm';
import { type CatalogueIds, pushSession } from './rows.ts';
import type { TestDevice, TestServer } from './server.ts';

/** Letters by chance, which no database packs, 32 a hash: three such sessions fill most of a page. */
const HASHES_A_SESSION = 20_000;

/** Sessions of a version each; all of the learner's sessions then hold a long conversation. Returns the ids of the new ones. */
export async function fillHistory(
  server: TestServer,
  device: TestDevice,
  { ids, sessions }: { ids: CatalogueIds; sessions: number },
): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < sessions; index += 1)
    made.push((await pushSession(server, device, ids, `session ${index}`)).rowId);
  await server.database.db.execute(sql`
    update practice_history set entire_conversation = jsonb_build_array(jsonb_build_object('text', (
      select string_agg(md5(nr::text || practice_history.id::text), '') from generate_series(1, ${HASHES_A_SESSION}) as nr
    ))) where user_id = ${device.userId}`);
  return made;
}

/** Small rows, three to a version. */
export async function fillInteractions(
  server: TestServer,
  { userId }: TestDevice,
  { count }: { count: number },
): Promise<void> {
  const { db } = server.database;
  await db.execute(sql`
    insert into user_course_interaction
      (interaction_id, user_id, interaction_type, "timestamp", details, created_at, updated_at, sync_version)
    select gen_random_uuid(), ${userId}, 'practice', now(), '{}', now(), now(), 2 + nr / 3
    from generate_series(1, ${count}) as nr`);
  await db.execute(sql`update sync_scopes set version = ${2 + Math.ceil(count / 3)} where scope = ${`user:${userId}`}`);
}
