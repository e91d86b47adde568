import { randomUUID } from 'node:crypto';
import type { Mutation } from '@parley/contract';
import { ENTITY_KEYS, entities, type Field, wireSchema } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { aRow } from '../../../test-kit/sync/any-row.ts';
import { PROTOTYPE_KEYS, setUpSyncAttackFixture } from '../../../test-kit/sync/sync-attack-fixture.ts';
import { CONFIDENTIAL_TEXT } from '../../../test-kit/sync/honest-learner.ts';
import { pushSession, sessionFields } from '../../../test-kit/sync/rows.ts';
import { aPushRequest as pushBody, registerDevice, type TestDevice } from '../../../test-kit/server.ts';

const INJECTIONS = [
  `'; drop table users; --`,
  `' or '1'='1`,
  `"; update users set is_admin = true; --`,
  `$1::text); delete from devices; --`,
  `\\'; select pg_sleep(10); --`,
];

/** Runs a registered device that sends changes no genuine app would send. */
export function deviceAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSyncAttackFixture(open);

  type Change = Parameters<TestDevice['change']>[0];
  const attempt = (change: Change) => scene.attacker.push(scene.attacker.change(change));
  const refused = (code: string, field?: string | null) => ({
    outcomes: [{ status: 'rejected', code, ...(field === undefined ? {} : { field }) }],
  });
  const leftOut = (field: string) => ({
    outcomes: [{ status: 'merged', refused: [{ field, code: 'unknown_field' }] }],
  });
  const pushRaw = (text: string, as = scene.attacker) =>
    scene.server.send({
      method: 'POST',
      url: '/v1/sync/push',
      headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
      payload: text,
    });
  const aPush = (mutations: readonly unknown[], deviceId = scene.attacker.deviceId): string =>
    JSON.stringify(pushBody(scene.server, deviceId, mutations));
  const invalid = { status: 400, body: { code: 'request.invalid' } };
  const ownSession = (fields: object = {}): Change => ({
    table: 'practice_history',
    rowId: randomUUID(),
    fields: { ...sessionFields(scene.honest.ids, scene.attacker.userId), ...fields },
  });

  describe('another learner’s rows', () => {
    it('cannot be changed, deleted, taken over or given away', async () => {
      const theirs = { table: 'practice_history', rowId: scene.honest.sessionId };
      const tries: Change[] = [
        { ...theirs, fields: { summary: CONFIDENTIAL_TEXT } },
        { ...theirs, op: 'delete' },
        { ...ownSession(), rowId: scene.honest.sessionId },
        ownSession({ userId: scene.honest.device.userId }),
        { table: 'users', rowId: scene.honest.device.userId, fields: { firstName: 'x' } },
        { table: 'users', rowId: scene.honest.device.userId, op: 'delete' },
      ];
      for (const change of tries) expect(await attempt(change)).toMatchObject(refused('not_yours'));
      const { rows } = await attempt({ ...theirs, fields: {} });
      expect(rows).toEqual([]);
    });

    it('cannot be reached with another device’s id', async () => {
      const { deviceId } = scene.honest.device;
      const cursors = { user: 0, catalogue: 0, older: null };
      const asked = {
        push: pushBody(scene.server, deviceId, [scene.honest.change]),
        stream: { protocol: 3, deviceId, epoch: null, cursors, answeredSeq: 0 },
      };
      for (const [path, body] of Object.entries(asked)) {
        const answer = await scene.server.post(`/v1/sync/${path}`, body, scene.attacker.token);
        expect(answer, path).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
      }
    });
  });

  describe('a forged sequence', () => {
    it.each([0, -1, 1.5, 1e300, 2 ** 53, '1', null, [1], { $gt: 0 }])(
      'containing %j is rejected as a whole',
      async (seq) => {
        const change = { ...scene.attacker.change(ownSession()), deviceSeq: seq };
        expect(await pushRaw(aPush([change]))).toMatchObject(invalid);
      },
    );

    it('with a gap or a duplicate is rejected as a whole', async () => {
      const device = await registerDevice(scene.server);
      const [first, second] = [device.change(ownSession()), device.change(ownSession())];
      const gap = { status: 410, body: { code: 'sync.resync', data: { detail: 'epoch' } } };
      for (const forged of [
        [second],
        [{ ...first, deviceSeq: Number.MAX_SAFE_INTEGER }],
        [first, { ...second, deviceSeq: 1 }],
        [second, first],
      ])
        expect(await pushRaw(aPush(forged, device.deviceId), device)).toMatchObject(gap);
    });

    it('that reuses a number with other content changes nothing', async () => {
      const { rowId, change } = await pushSession(scene.server, scene.attacker, scene.honest.ids, 'as it was');
      const again = { ...change, id: randomUUID(), fields: { summary: 'as it never was' } };
      expect(await scene.attacker.push(again)).toMatchObject({ outcomes: [{ status: 'duplicate' }] });
      const kept = (await scene.attacker.pull()).find(({ fields }) => fields['id'] === rowId);
      expect(kept?.fields).toMatchObject({ summary: 'as it was' });
    });
  });

  describe('server-only fields and tables', () => {
    it.each(entities.users.accountFields)('rejects users.%s in updates and inserts', async (field) => {
      const referred = new Map(ENTITY_KEYS.map((key) => [entities[key].name, randomUUID() as string]));
      const value = aRow('users', referred)[field] as never;
      for (const rowId of [scene.attacker.userId, randomUUID()])
        expect(await attempt({ table: 'users', rowId, fields: { userId: rowId, [field]: value } })).toMatchObject(
          refused('account_field', field),
        );
    });

    const tables = ENTITY_KEYS.filter((key) => entities[key].owner !== 'learner').map((key) => entities[key].name);
    it.each(tables)('rejects changes to the table %s', async (table) => {
      expect(await attempt({ table, rowId: randomUUID(), fields: { title: 'x' } })).toMatchObject(refused('read_only'));
      expect(await attempt({ table, rowId: randomUUID(), op: 'delete' })).toMatchObject(refused('read_only'));
    });

    it.each(['devices', 'link_codes', 'sync_scopes', 'pg_catalog.pg_user', 'USERS', 'public.users', ...PROTOTYPE_KEYS])(
      'rejects the unknown table %s',
      async (table) => {
        expect(await attempt({ table, rowId: randomUUID() })).toMatchObject(refused('unknown_table'));
      },
    );

    it('ignores versions, times and clocks that a device sends', async () => {
      const change = ownSession({ syncVersion: 999_999, updatedAt: '2099-01-01T00:00:00.000Z' });
      const { userVersion } = await attempt(change);
      const [kept] = (await scene.attacker.pull()).filter(({ fields }) => fields['id'] === change.rowId);
      expect(kept?.fields).toMatchObject({ syncVersion: userVersion, updatedAt: scene.server.now().toISOString() });
      expect(await attempt({ ...change, fields: { fieldClocks: {} } })).toMatchObject(leftOut('fieldClocks'));
    });
  });

  describe('SQL injection', () => {
    /** A complete row of the log, without the fields that only the server sets. */
    const anAttempt = (): Mutation['fields'] => {
      const row = aRow('wordAttempts', new Map([['users', scene.attacker.userId]]), 'sparse');
      const { id: _id, syncVersion: _version, updatedAt: _updatedAt, deletedAt: _deletedAt, ...fields } = row;
      return fields as Mutation['fields'];
    };

    const texts = ENTITY_KEYS.filter((key) => entities[key].owner === 'learner').flatMap((key) =>
      Object.entries(entities[key].fields as Record<string, Field>)
        .filter(([name, { kind }]) => kind === 'text' && !entities[key].accountFields.some((own) => own === name))
        .map(([name]) => [key, name] as const),
    );
    it.each(texts)('through %s.%s is stored as text or rejected', async (key, name) => {
      const { name: table, key: keyField } = entities[key];
      for (const text of INJECTIONS) {
        if (!wireSchema(entities[key]).shape[name]?.safeParse(text).success) continue;
        const interactionId = randomUUID();
        if (key === 'aiConversations') {
          const parent = aRow('userCourseInteraction', new Map([['users', scene.attacker.userId]]), 'sparse');
          const fields = { ...parent, interactionId } as Mutation['fields'];
          await attempt({ table: 'user_course_interaction', rowId: interactionId, fields });
        }
        const change: Change =
          key === 'users'
            ? { table, rowId: scene.attacker.userId, fields: { [name]: text } }
            : key === 'practiceHistory'
              ? ownSession({ [name]: text })
              : key === 'wordAttempts'
                ? { table, rowId: randomUUID(), fields: { ...anAttempt(), [name]: text } }
                : {
                    table,
                    rowId: randomUUID(),
                    fields: {
                      userId: scene.attacker.userId,
                      courseId: null,
                      interactionId,
                      role: 'learner',
                      content: 'x',
                      [name]: text,
                    },
                  };
        expect(await attempt(change), `${table}.${name}`).toMatchObject({ outcomes: [{ status: 'applied' }] });
        const kept = (await scene.attacker.pull()).find(({ fields }) => fields[keyField] === change.rowId);
        expect(kept?.fields[name]).toBe(text);
      }
    });

    it.each(INJECTIONS)('through a name is rejected: %s', async (text) => {
      expect(await attempt({ table: text, rowId: randomUUID() })).toMatchObject(refused('unknown_table'));
      expect(await attempt({ table: 'users', rowId: scene.attacker.userId, fields: { [text]: 'x' } })).toMatchObject(
        leftOut(text),
      );
      for (const wrong of [{ id: text }, { rowId: text }, { at: text }, { op: text }])
        expect(await pushRaw(aPush([{ ...scene.attacker.change(ownSession()), ...wrong }]))).toMatchObject(invalid);
    });

    it('leaves every table in place', async () => {
      const { rows } = (await scene.server.database.db.execute(
        sql`select count(*)::int as admins from users where is_admin`,
      )) as {
        rows: unknown[];
      };
      expect(rows).toEqual([{ admins: 0 }]);
    });
  });
}
