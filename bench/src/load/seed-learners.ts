/** Fills a database with learners, devices and years of practice by cloning the rows that one real device pushed. */
import { DeviceCredentials, SYNC_PROTOCOL } from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { z } from 'zod';
import { practiceRow } from '../sync/workload-rows.ts';

/** A device whose requests the load test sends. */
export interface LoadDevice {
  userId: string;
  deviceId: string;
  token: string;
  lastSeq: number;
  /** How many pushes it has sent since it was cloned. */
  pushes: number;
  /** The session to which the next turns are added. */
  sessionId: string;
  interactionId: string;
  /** The last turn of that session; null before the first. */
  lastTurnId: string | null;
  /** Fields of the next new session. */
  session: Record<string, unknown>;
  /** The version before the last when the device had pushed nothing, so that each pull returns one row. */
  seenVersion: number;
  catalogueVersion: number;
  /** Settled when its last request has been answered. */
  pending?: Promise<void>;
}

const Catalogue = z.object({ practice_id: z.uuid(), agent_id: z.uuid() });
const ClonedDevice = z.object({
  user_id: z.uuid(),
  device_id: z.uuid(),
  session_id: z.uuid(),
  interaction_id: z.uuid(),
});

const ColumnNames = z.object({ names: z.string() });

const TOKEN_SECRET = 'A'.repeat(43);

const Version = z.object({ version: z.coerce.number() });

async function catalogueVersion(sql: Client): Promise<number> {
  const { rows } = await sql.query("select version from sync_scopes where scope = 'catalogue'");
  return Version.parse(rows[0]).version;
}

async function post(url: string, body: unknown, token?: string): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const answered: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status} ${JSON.stringify(answered)}`);
  return answered;
}

/** The number of turns that each learner's last session already has. */
const STORED_TURNS = 20;

/** Registers a learner with one device and pushes one session with one turn, as the app does. */
export async function createFirstLearner(url: string, sql: Client): Promise<LoadDevice> {
  const [deviceId, userId] = [randomUUID(), randomUUID()];
  const device = { deviceId, userId, name: 'Load', platform: 'other' };
  const { token } = DeviceCredentials.parse(await post(`${url}/v1/devices/register`, device));
  const { rows } = await sql.query(
    `select practice_id, a.agent_id from practices, ai_agent_profiles a where availability = 'ready' limit 1`,
  );
  const { practice_id: practiceId, agent_id: agentId } = Catalogue.parse(rows[0]);
  const { id: rowId, ...row } = practiceRow(1);
  const session = { ...row, practiceId, agentId, userId, pausedAt: null };
  const interactionId = randomUUID();
  const now = new Date().toISOString();
  const interaction = {
    userId,
    interactionType: 'practice',
    timestamp: now,
    details: { sessionId: rowId, practiceId, videoId: null, courseSectionId: null },
  };
  const turnId = randomUUID();
  const turn = {
    createdAt: now,
    userId,
    interactionId,
    sessionId: rowId,
    previousTurnId: null,
    content: 'We are two days late because the supplier moved, and I am sorry that nobody has told you before.',
    role: 'learner',
    saidAt: now,
    mode: 'typed',
    node: 'opening',
  };
  const toMutation = (deviceSeq: number, change: { table: string; rowId: string; fields: object }) => ({
    ...change,
    id: randomUUID(),
    deviceSeq,
    op: 'upsert',
    at: formatHybridTime({ ms: Date.now(), counter: deviceSeq, deviceId }),
    base: 0,
  });
  const mutations = [
    toMutation(1, { table: 'practice_history', rowId, fields: session }),
    toMutation(2, { table: 'user_course_interaction', rowId: interactionId, fields: interaction }),
    toMutation(3, { table: 'ai_conversations', rowId: turnId, fields: turn }),
  ];
  await post(`${url}/v1/sync/push`, { protocol: SYNC_PROTOCOL, deviceId, epoch: null, now, mutations }, token);
  return {
    userId,
    deviceId,
    token,
    lastSeq: 3,
    pushes: 0,
    sessionId: rowId,
    interactionId,
    lastTurnId: turnId,
    session,
    seenVersion: 1,
    catalogueVersion: await catalogueVersion(sql),
  };
}

/** The columns that a row is inserted with; the database computes the others. */
async function writableColumns(sql: Client, table: string): Promise<string> {
  const { rows } = await sql.query(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
     from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  return ColumnNames.parse(rows[0]).names;
}

/** Inserts clones of a table's rows. `changed` is a JSON object of what differs, and `from` names the rows and copies. */
async function cloneRows(
  sql: Client,
  { table, changed, from }: { table: string; changed: string; from: string },
  values: readonly unknown[],
): Promise<void> {
  const columns = await writableColumns(sql, table);
  await sql.query(
    `insert into ${table} (${columns})
     select ${columns} from (select (jsonb_populate_record(original, ${changed})).* from ${table} original, ${from}) clones`,
    [...values],
  );
}

/** Clones the first learner `count` times, each with `rowsEach` sessions over as many versions. */
export async function cloneLearners(
  sql: Client,
  like: LoadDevice,
  { count, rowsEach }: { count: number; rowsEach: number },
): Promise<LoadDevice[]> {
  await sql.query('drop table if exists copied');
  await sql.query(
    `create temporary table copied as
       select gen_random_uuid() as user_id, gen_random_uuid() as device_id, gen_random_uuid() as session_id,
         gen_random_uuid() as interaction_id
       from generate_series(1, $1::int)`,
    [count],
  );
  await cloneRows(
    sql,
    {
      table: 'users',
      changed: "jsonb_build_object('user_id', c.user_id)",
      from: 'copied c where original.user_id = $1',
    },
    [like.userId],
  );
  await cloneRows(
    sql,
    {
      table: 'devices',
      changed: `jsonb_build_object('user_id', c.user_id, 'device_id', c.device_id, 'last_seq', 0,
        'token_hash', encode(sha256(convert_to(c.device_id || '.${TOKEN_SECRET}', 'UTF8')), 'hex'))`,
      from: 'copied c where original.device_id = $1',
    },
    [like.deviceId],
  );
  // The server counts the rows of an account only once; after that, every push only says by how much they grow.
  await sql.query(
    `insert into sync_scopes (scope, version, stored_bytes)
       select 'user:' || user_id, $1::int + 1, $1::bigint * (select wire_bytes from practice_history where id = $2)
         + ${STORED_TURNS} * (select wire_bytes from ai_conversations where conversation_id = $3) from copied`,
    [rowsEach, like.sessionId, like.lastTurnId],
  );
  await cloneRows(
    sql,
    {
      table: 'practice_history',
      changed: `jsonb_build_object('user_id', c.user_id,
        'id', case when n = 1 then c.session_id else gen_random_uuid() end, 'sync_version', n + 1)`,
      from: 'copied c, generate_series(1, $2::int) n where original.id = $1',
    },
    [like.sessionId, rowsEach],
  );
  await cloneRows(
    sql,
    {
      table: 'user_course_interaction',
      changed: `jsonb_build_object('user_id', c.user_id, 'interaction_id', c.interaction_id,
        'details', original.details || jsonb_build_object('sessionId', c.session_id))`,
      from: 'copied c where original.interaction_id = $1',
    },
    [like.interactionId],
  );
  await cloneRows(
    sql,
    {
      table: 'ai_conversations',
      changed: `jsonb_build_object('user_id', c.user_id, 'session_id', c.session_id, 'interaction_id', c.interaction_id,
        'conversation_id', gen_random_uuid())`,
      from: `copied c, generate_series(1, ${STORED_TURNS}) where original.conversation_id = $1`,
    },
    [like.lastTurnId],
  );
  await sql.query('analyze');
  const { rows } = await sql.query('select * from copied');
  return z
    .array(ClonedDevice)
    .parse(rows)
    .map(({ user_id: userId, device_id: deviceId, session_id: sessionId, interaction_id: interactionId }) => ({
      userId,
      deviceId,
      token: `${deviceId}.${TOKEN_SECRET}`,
      lastSeq: 0,
      pushes: 0,
      sessionId,
      interactionId,
      lastTurnId: null,
      session: { ...like.session, userId },
      seenVersion: rowsEach,
      catalogueVersion: like.catalogueVersion,
    }));
}
