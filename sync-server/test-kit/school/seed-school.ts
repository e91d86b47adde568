/** Fills a database with a school's learners, practices, mail and AI costs, in a few statements. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../../src/db/client.ts';

export interface SchoolSize {
  learners: number;
  /** Finished practices per learner, over the last eight weeks. */
  practicesEach: number;
  /** How many of the learners have requested access and are waiting. */
  waiting: number;
}

/** Requires the starter catalogue. Every learner's address begins with `learner-` and their number. */
export async function seedSchool(
  db: Database,
  now: Date,
  { learners, practicesEach, waiting }: SchoolSize,
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const namespace = randomUUID().slice(0, 8);
  await db.execute(sql`
    insert into users (user_id, email, first_name, last_name, has_access, access_date, last_login_at, email_notifications,
      is_admin, has_seen_onboarding, not_yet_practiced_email_sent, plan_upgrade_reminder_email_sent,
      access_link_not_received_email_sent, not_logged_in_after_access_email_sent, created_at, updated_at, sync_version)
    select gen_random_uuid(), 'learner-' || n || '-' || ${namespace} || '@nordhafen.example',
      (array['Marta','Yusuf','Ana','Pedro','Li','Ines','Daniel','Priya','Tom','Grace','Aylin','Jonas'])[1 + n % 12],
      (array['Kowalczyk','Demir','Ribeiro','Salgado','Wen','Duarte','Okafor','Nair','Berg','Silva','Haddad'])[1 + n % 11]
        || ' ' || n,
      n > ${waiting}, case when n > ${waiting} then ${at} - n * interval '7 minutes' end,
      ${at} - (n % 30) * interval '1 day', true, false, true, false, false, false, false,
      ${at} - n * interval '10 minutes', ${at}, 1
    from generate_series(1, ${learners}::int) n`);
  await db.execute(sql`
    insert into sync_scopes (scope, version)
    select 'user:' || user_id, 1 from users where email like '%' || ${namespace} || '%'`);
  await db.execute(sql`
    insert into audit_log (id, at, actor_id, subject_id, act, details)
    select gen_random_uuid(), created_at, user_id, user_id,
      case when has_access then 'access_granted' else 'access_requested' end, '{}'
    from users where email like '%' || ${namespace} || '%'`);
  if (practicesEach > 0)
    await db.execute(sql`
      insert into practice_history (id, practice_id, user_id, agent_id, score, pron_score, entire_conversation,
        completed_objectives, duration, communication_style, status, difficulty, created_at, updated_at, sync_version)
      select gen_random_uuid(), (select practice_id from practices where deleted_at is null order by practice_id limit 1), u.user_id,
        (select agent_id from ai_agent_profiles order by agent_id limit 1),
        60 + (n * 7 + length(u.first_name)) % 35, 70, '[]', '[]', 180 + n % 200, 'audio', 'completed', 'easy',
        ${at} - (((n * 53 + length(u.last_name) * 7) % 56) || ' days')::interval, ${at}, 1 + n
      from users u, generate_series(1, ${practicesEach}::int) n
      where u.email like '%' || ${namespace} || '%'`);
}
