/** Creates histories of many pages directly in the database, because pushing them would take too long. */
import { sql } from 'drizzle-orm';
import { type CatalogueIds, pushSession } from './rows.ts';
import type { TestDevice, TestServer } from '../server.ts';

/** Hashes do not compress. Three sessions of this length fill most of a page. */
const HASHES_PER_SESSION = 20_000;

/** Creates sessions with a version each and a turn with a long assessment. Returns the ids of the sessions. */
export async function fillHistory(
  server: TestServer,
  device: TestDevice,
  { ids, sessions }: { ids: CatalogueIds; sessions: number },
): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < sessions; index += 1)
    made.push((await pushSession(server, device, ids, `session ${index}`)).rowId);
  await fillTurns(server, device);
  return made;
}

/** Adds a long turn to each session that has none. */
export async function fillTurns(server: TestServer, { userId }: TestDevice): Promise<void> {
  const { db } = server.database;
  await db.execute(sql`
    insert into user_course_interaction
      (interaction_id, user_id, interaction_type, "timestamp", details, created_at, updated_at, sync_version)
    values (${userId}, ${userId}, 'practice', now(), '{}', now(), now(), 1) on conflict do nothing`);
  await db.execute(sql`
    insert into ai_conversations (conversation_id, interaction_id, user_id, content, role, session_id, said_at,
      fitted, hint_level, assessment, created_at, updated_at, sync_version)
    select gen_random_uuid(), ${userId}, ${userId}, 'long', 'learner', p.id, now(), true, 0,
      jsonb_build_object('sounds', (
        select string_agg(md5(nr::text || p.id::text), '') from generate_series(1, ${HASHES_PER_SESSION}) as nr)),
      now(), now(), p.sync_version
    from practice_history as p
    where p.user_id = ${userId} and not exists (select from ai_conversations as c where c.session_id = p.id)`);
}

/** Creates small rows, three per version. */
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
