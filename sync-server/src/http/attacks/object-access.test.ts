/**
 * Sends the ids of one learner's objects with the token of another, in every field of every procedure that takes an id.
 * A field without a rule fails the test, so that its rule has to be decided here.
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, serverContract } from '@parley/contract';
import { traverseContractProcedures } from '@orpc/server';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { coachingFixture } from '../../coach/test-kit/coaching-fixture.ts';
import { devices, tables } from '../../db/tables.ts';
import { anEmail } from '../../../test-kit/mailbox.ts';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { aSample, recordingClient, type Sample } from '../../../test-kit/recordings/recordings-fixture.ts';
import { sampleInputs } from '../../../test-kit/sample-input.ts';
import { aPushRequest, confirmDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';
import { CONFIDENTIAL_TEXT } from '../../../test-kit/sync/honest-learner.ts';
import { pushSession } from '../../../test-kit/sync/rows.ts';

/**
 * `refused`: with `auth.forbidden`. `as unknown`: the response is that for an id that does not exist, whether it is an
 * error, or the id only has a meaning within the caller's account. `content`: an id of what every learner can see.
 */
type Rule = 'refused' | 'as unknown' | 'content';

interface Theirs {
  userId: string;
  deviceId: string;
  sessionId: string;
  turnId: string;
  recordingId: string;
  reportId: string;
  crashId: string;
  sha256: string;
}

const RULES: Readonly<Record<string, { rule: Rule; theirs?: keyof Theirs }>> = {
  'devices/register deviceId': { rule: 'refused', theirs: 'deviceId' },
  'devices/register userId': { rule: 'refused', theirs: 'userId' },
  // Without a valid code, the id of the device is not even looked up; see the suite of devices for a valid one.
  'devices/join deviceId': { rule: 'as unknown', theirs: 'deviceId' },
  'account/sign-in deviceId': { rule: 'as unknown', theirs: 'deviceId' },
  'account/sign-in-by-link deviceId': { rule: 'as unknown', theirs: 'deviceId' },
  'devices/revoke deviceId': { rule: 'as unknown', theirs: 'deviceId' },
  'devices/wipe deviceId': { rule: 'as unknown', theirs: 'deviceId' },
  'devices/report-wiped deviceId': { rule: 'as unknown', theirs: 'deviceId' },
  'sync/push deviceId': { rule: 'refused', theirs: 'deviceId' },
  'sync/push mutations.id': { rule: 'as unknown', theirs: 'sessionId' },
  // The attacks of devices on sync try each kind of row and reference.
  'sync/push mutations.rowId': { rule: 'as unknown', theirs: 'recordingId' },
  'sync/stream deviceId': { rule: 'refused', theirs: 'deviceId' },
  'sync/turns deviceId': { rule: 'refused', theirs: 'deviceId' },
  'sync/turns sessionIds': { rule: 'as unknown', theirs: 'sessionId' },
  'coach/lease sessionId': { rule: 'as unknown', theirs: 'sessionId' },
  'coach/release sessionId': { rule: 'as unknown', theirs: 'sessionId' },
  ...Object.fromEntries(
    ['reply', 'hint', 'review'].flatMap((name) => [
      [`coach/${name} sessionId`, { rule: 'as unknown', theirs: 'sessionId' }],
      [`coach/${name} turns.turnId`, { rule: 'as unknown', theirs: 'turnId' }],
      [`coach/${name} turns.recordingId`, { rule: 'as unknown', theirs: 'recordingId' }],
      [`coach/${name} practiceId`, { rule: 'content' }],
      [`coach/${name} agentId`, { rule: 'content' }],
      [`coach/${name} completed`, { rule: 'content' }],
    ]),
  ),
  'crashes id': { rule: 'as unknown', theirs: 'crashId' },
  'practice-reports id': { rule: 'as unknown', theirs: 'reportId' },
  'practice-reports practiceId': { rule: 'content' },
  // Says of any account whether it was erased, which devices that shared a computer with it have to know.
  'account/erased userIds': { rule: 'as unknown', theirs: 'userId' },
  'account/known-rows ids': { rule: 'as unknown', theirs: 'sessionId' },
  'recordings/list generation': { rule: 'as unknown', theirs: 'recordingId' },
  'recordings/announce recordingId': { rule: 'as unknown', theirs: 'recordingId' },
  'recordings/announce sessionId': { rule: 'as unknown', theirs: 'sessionId' },
  'recordings/announce sha256': { rule: 'as unknown', theirs: 'sha256' },
  'recordings/verify recordingId': { rule: 'as unknown', theirs: 'recordingId' },
  'recordings/audio recordingId': { rule: 'as unknown', theirs: 'recordingId' },
  'billing/checkout priceId': { rule: 'content' },
};

interface Schema {
  type?: string;
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** The fields of a schema that take an id, with dots between their names. */
function idFields(schema: Schema, root = schema, name = ''): string[] {
  if (schema.$ref !== undefined) return idFields(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, root, name);
  if (schema.format === 'uuid' || name === 'sha256') return [name];
  const inner = Object.entries(schema.properties ?? {}).map(([key, each]): [string, Schema] => [
    name === '' ? key : `${name}.${key}`,
    each,
  ]);
  const same = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (schema.items !== undefined) same.push(schema.items);
  return [
    ...inner.flatMap(([key, each]) => idFields(each, root, key)),
    ...same.flatMap((each) => idFields(each, root, name)),
  ];
}

const fields = new Set<string>();
traverseContractProcedures({ router: serverContract, path: [] }, ({ contract }) => {
  const { inputSchema, route, meta } = contract['~orpc'];
  // Admins may reach every learner, and `route-access.test.ts` keeps others away from their procedures.
  if ((meta as { caller: string }).caller === 'admin' || inputSchema === undefined) return;
  const schema = z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema;
  for (const field of idFields(schema)) fields.add(`${route.path?.replace('/v1/', '')} ${field}`);
});
/** These are not procedures of the contract. */
const OTHER_FIELDS = [
  'sync/stream deviceId',
  'sync/turns deviceId',
  'sync/turns sessionIds',
  'recordings/audio recordingId',
];

it('has a rule for every id that a device sends', () => {
  expect(Object.keys(RULES).toSorted()).toEqual([...fields, ...OTHER_FIELDS].toSorted());
});

describe('the id of another learner’s object', () => {
  const scene = coachingFixture(openMemoryDatabase);
  let victim: TestDevice;
  let attacker: TestDevice;
  let theirs: Theirs;
  let sample: Sample;
  let readRows: string | undefined;

  beforeAll(async () => {
    const { server, ids } = scene.now();
    [victim, attacker] = [await registerDevice(server), await registerDevice(server)];
    for (const { userId, deviceId } of [victim, attacker]) {
      const row = { email: anEmail(), summary: userId === victim.userId ? CONFIDENTIAL_TEXT : null };
      await server.database.db.update(tables.users).set(row).where(eq(tables.users.userId, userId));
      await server.database.db.update(devices).set({ wipeKey: randomUUID() }).where(eq(devices.deviceId, deviceId));
      await confirmDevice(server, { deviceId });
    }
    const { rowId: sessionId } = await pushSession(server, victim, ids, CONFIDENTIAL_TEXT);
    sample = await aSample({ sessionId });
    const [copies, own] = [recordingClient(server, victim), recordingClient(server, attacker)];
    await copies.ask('keep', { isOn: true });
    await own.ask('keep', { isOn: true });
    await copies.upload(sample);
    const { recordingId, sha256 } = sample;
    const [reportId, crashId, turnId] = [randomUUID(), randomUUID(), randomUUID()];
    theirs = {
      userId: victim.userId,
      deviceId: victim.deviceId,
      sessionId,
      turnId,
      recordingId,
      reportId,
      crashId,
      sha256,
    };
    for (const [path, input] of [
      ['practice-reports', { ...aReport(), id: reportId }],
      ['crashes', { ...aCrash(), id: crashId }],
      ['coach/lease', { sessionId, style: 'turn_based', timeZone: 'UTC', takeOver: false }],
    ] as const)
      expect(await server.post(`/v1/${path}`, input, victim.token), path).toMatchObject({ status: 200 });
  });

  const aReport = () => ({
    at: scene.now().server.now().toISOString(),
    practiceId: scene.now().ids.practiceId,
    node: null,
    line: null,
    text: CONFIDENTIAL_TEXT,
  });
  const aCrash = () => ({
    at: scene.now().server.now().toISOString(),
    source: 'host',
    version: '1.0.0',
    system: 'linux',
    kind: 'TypeError',
    code: null,
    frames: [],
  });
  /** Inputs that get further than those which the schema alone suggests. */
  const inputOf = (path: string, caller: TestDevice): Record<string, unknown> => {
    const { server } = scene.now();
    const now = server.now();
    const { deviceId } = caller;
    const cursors = { user: 0, catalogue: 0, older: null };
    const inputs: Record<string, object> = {
      'sync/push': aPushRequest(server, deviceId, [caller.change({ table: 'practice_history', rowId: randomUUID() })]),
      'sync/stream': { protocol: 3, deviceId, epoch: null, cursors, answeredSeq: 0 },
      'sync/turns': { protocol: 3, deviceId, epoch: null, sessionIds: [randomUUID()] },
      'recordings/announce': {
        recordingId: randomUUID(),
        sessionId: randomUUID(),
        sha256: 'a'.repeat(64),
        bytes: sample.bytes,
      },
      'recordings/list': { generation: randomUUID(), after: 0 },
      'coach/lease': { sessionId: randomUUID(), style: 'turn_based', timeZone: 'UTC', takeOver: true },
      'account/erased': { userIds: [randomUUID()] },
      'account/known-rows': { ids: [randomUUID()] },
      'practice-reports': { id: randomUUID(), ...aReport() },
      crashes: { id: randomUUID(), ...aCrash() },
    };
    if (/^coach\/(reply|hint|review)$/.test(path)) {
      const said = { ...scene.talked().at(1), recordingId: randomUUID() };
      return scene.held({ turns: [scene.talked()[0], said], ...(path === 'coach/hint' && { level: 1 }) });
    }
    return { ...(sampleInputs({ now }).get(`POST /v1/${path}`) as object), ...inputs[path] };
  };

  const send = async (path: string, caller: TestDevice, input: Record<string, unknown>) => {
    const { server } = scene.now();
    const isRead = path === 'recordings/audio';
    const response = await server.app.inject({
      method: isRead ? 'GET' : 'POST',
      url: isRead ? `${ENDPOINTS.readRecording.path}?recordingId=${String(input['recordingId'])}` : `/v1/${path}`,
      headers: { authorization: `Bearer ${caller.token}` },
      ...(isRead ? {} : { payload: input }),
    });
    return { status: response.statusCode, text: response.payload };
  };

  /** Every row of the victim, in every table. */
  const theirRows = async (): Promise<string> => {
    const { db } = scene.now().server.database;
    if (readRows === undefined) {
      const found = (await db.execute(
        sql`select string_agg(format('select t::text as row from %I t where user_id::text = %L', table_name, ${victim.userId}::text), ' union all ') as query
            from information_schema.columns where table_schema = 'public' and column_name = 'user_id'`,
      )) as { rows: { query: string }[] };
      readRows = found.rows[0]?.query ?? '';
    }
    const { rows } = (await db.execute(sql.raw(`${readRows} order by 1`))) as { rows: unknown[] };
    return JSON.stringify(rows);
  };

  it.each(Object.entries(RULES).filter(([, { rule }]) => rule !== 'content'))(
    'in %s is no way in',
    async (field, { rule, theirs: kind }) => {
      const [path = '', names = ''] = field.split(' ');
      const their = theirs[kind ?? 'userId'];
      const unknown = kind === 'sha256' ? 'b'.repeat(64) : randomUUID();
      const before = await theirRows();
      expect(before).toContain(CONFIDENTIAL_TEXT);
      const { fake } = scene.now();
      const calls = fake.calls.length;
      const attempt = async (id: string) => {
        // A refused push leaves a gap in the device's sequence numbers.
        const caller = path === 'sync/push' ? await registerDevice(scene.now().server) : attacker;
        await confirmDevice(scene.now().server, caller);
        const { status, text } = await send(path, caller, withId(inputOf(path, caller), names.split('.'), id));
        expect(text).not.toContain(CONFIDENTIAL_TEXT);
        return { status, text };
      };
      const [known, invented] = [await attempt(their), await attempt(unknown)];
      if (rule === 'refused')
        expect(known).toMatchObject({ status: 403, text: expect.stringContaining('auth.forbidden') });
      else expect(comparable(known, their)).toEqual(comparable(invented, unknown));
      expect(await theirRows()).toBe(before);
      expect(JSON.stringify(fake.calls.slice(calls).map(({ body }) => body))).not.toContain(CONFIDENTIAL_TEXT);
    },
  );
});

/** Puts the id at a path of names, into each element of an array. */
function withId(
  input: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  id: string,
): Record<string, unknown> {
  const value = input[name];
  const put = (each: unknown): unknown => (rest.length === 0 ? id : withId(each as Record<string, unknown>, rest, id));
  return { ...input, [name]: Array.isArray(value) ? value.map(put) : put(value ?? {}) };
}

/** Without what differs between any two responses. */
const comparable = ({ status, text }: { status: number; text: string }, id: string) => ({
  status,
  text: text
    .replaceAll(id, 'ID')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.[\w-]{43})?/g, 'UUID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"(userVersion|user|remainingS)":\d+/g, 'N'),
});
