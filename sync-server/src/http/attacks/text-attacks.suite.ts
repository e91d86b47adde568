import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { PROTOTYPE_KEYS, setUpSyncAttackFixture } from '../../../test-kit/sync/sync-attack-fixture.ts';
import { sessionFields } from '../../../test-kit/sync/rows.ts';
import { aPushRequest as pushBody } from '../../../test-kit/server.ts';

/** Sends JSON and text that two parsers could read differently. */
export function textAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSyncAttackFixture(open);

  const send = (payload: string | Buffer, url = '/v1/sync/push') =>
    scene.server.send({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${scene.attacker.token}`, 'content-type': 'application/json' },
      payload,
    });
  const session = (fields: object = {}) =>
    scene.attacker.change({
      table: 'practice_history',
      rowId: randomUUID(),
      fields: { ...sessionFields(scene.honest.ids, scene.attacker.userId), ...fields },
    });
  const aPush = (mutations: readonly unknown[]): string =>
    JSON.stringify(pushBody(scene.server, scene.attacker.deviceId, mutations));
  const invalid = { status: 400, body: { code: 'request.invalid' } };
  const kept = async (rowId: string) =>
    (await scene.attacker.pull()).find(({ fields }) => fields['id'] === rowId)?.fields;
  /** `JSON.stringify` would drop such a key, so it is inserted into the text. */
  const poison = (key: string): string => `"${key}":{"polluted":true,"isAdmin":true}`;

  describe('prototype pollution', () => {
    it.each(PROTOTYPE_KEYS)('through the field name %s has no effect', async (key) => {
      const change = session();
      const text = aPush([change]).replace('"fields":{', `"fields":{${poison(key)},`);
      const { status, body } = await send(text);
      expect(status).toBe(200);
      // The schema may reject the key or drop it, but it must never reach a row.
      const [outcome] = body['outcomes'] as { status: string }[];
      const row = await kept(change.rowId);
      if (outcome?.status === 'rejected') expect(row).toBeUndefined();
      else expect(Object.keys(row ?? {})).not.toContain(key);
      expect(JSON.stringify(await scene.attacker.pull())).not.toContain('polluted');
    });

    it.each(PROTOTYPE_KEYS)('through %s inside a JSON column reaches no row', async (key) => {
      const change = session();
      const turn = `{"objectiveId":"${randomUUID()}","turnId":"${randomUUID()}","words":"x",${poison(key)}}`;
      await send(aPush([change]).replace('"completedObjectives":[]', `"completedObjectives":[${turn}]`));
      expect(JSON.stringify(await scene.attacker.pull())).not.toContain('polluted');
    });

    it.each(PROTOTYPE_KEYS)('through %s beside the request fields is rejected', async (key) => {
      for (const text of [aPush([]), aPush([session()]).replace('[{', `[{${poison(key)},`)])
        expect(await send(text.replace('{', `{${poison(key)},`))).toMatchObject(invalid);
      const asked = { deviceId: randomUUID(), userId: randomUUID(), name: 'x', platform: 'linux' };
      const registering = JSON.stringify(asked).replace('{', `{${poison(key)},`);
      expect(await send(registering, '/v1/devices/register')).toMatchObject(invalid);
    });

    it.each([
      '__proto__[polluted]=1',
      'constructor[prototype][polluted]=1',
      'a[__proto__][polluted]=1',
      'a[999999999]=1',
    ])('through the query string (?%s) is rejected', async (query) => {
      const headers = { authorization: `Bearer ${scene.attacker.token}` };
      expect(await scene.server.send({ method: 'GET', url: `/v1/devices?${query}`, headers })).toMatchObject(invalid);
    });
  });

  describe('invalid text', () => {
    it.each([
      ['a null character', '\\u0000'],
      ['a lone high surrogate', '\\ud800'],
      ['a lone low surrogate', 'x\\udc00x'],
    ])('with %s is rejected alone and does not block later changes', async (_what, escape) => {
      const mark = 'MARK';
      const turn = { objectiveId: randomUUID(), turnId: randomUUID(), words: mark };
      const bad = [session({ summary: mark }), session({ completedObjectives: [turn] })];
      const good = session({ summary: 'good' });
      const { status, body } = await send(aPush([...bad, good]).replaceAll(mark, escape));
      expect(status).toBe(200);
      // A session requires its list of objectives, but not its summary.
      expect(body['outcomes']).toMatchObject([
        { status: 'merged', refused: [{ field: 'summary', code: 'invalid_value' }] },
        { status: 'rejected', code: 'invalid_value', field: 'completedObjectives' },
        { status: 'applied' },
      ]);
      expect(await kept(good.rowId)).toMatchObject({ summary: 'good' });
    });

    it.each(['\\u0000', 'a\\u0000b', '\\ud800'])(
      'that no database can store (%s) cannot name a device',
      async (name) => {
        const asked = { deviceId: randomUUID(), name: 'MARK', platform: 'linux' };
        const { body: link } = await scene.server.post('/v1/devices/link-code', {}, scene.attacker.token);
        for (const [path, rest] of [
          ['register', { userId: randomUUID() }],
          ['join', { code: link['code'] }],
        ] as const) {
          const text = JSON.stringify({ ...asked, ...rest }).replace('MARK', name);
          expect(await send(text, `/v1/devices/${path}`)).toMatchObject({
            status: 400,
            body: { code: 'request.invalid', data: { field: 'name' } },
          });
        }
        // The link code was not used up.
        expect((await send(JSON.stringify({ ...asked, code: link['code'] }), '/v1/devices/join')).status).toBe(200);
      },
    );

    it.each([
      ['a body that is not UTF-8', [0xff]],
      ['a body with a truncated character', [0xe2, 0x82]],
      ['a body with an overlong encoding', [0xc0, 0x80]],
      ['a body with an encoded surrogate', [0xed, 0xa0, 0x80]],
    ])('%s rejects the whole request', async (_what, bytes) => {
      const change = session({ summary: 'MARK' });
      const [before, after] = aPush([change]).split('MARK');
      const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.from(bytes), Buffer.from(after ?? '')]);
      expect(await send(body)).toMatchObject(invalid);
      expect(await kept(change.rowId)).toBeUndefined();
    });
  });

  describe('a duplicate JSON key', () => {
    it('takes its last value in both validation and storage', async () => {
      const change = session();
      const theirs = `"deviceId":"${scene.honest.device.deviceId}"`;
      const own = `"deviceId":"${scene.attacker.deviceId}"`;
      const text = aPush([change]);
      expect(await send(text.replace(own, `${own},${theirs}`))).toMatchObject({ status: 403 });
      const named = `"userId":"${scene.attacker.userId}"`;
      const twice = text.replace(named, `${named},"userId":"${scene.honest.device.userId}"`);
      expect(await send(twice.replace(own, `${theirs},${own}`))).toMatchObject({
        status: 200,
        body: { outcomes: [{ status: 'rejected', code: 'not_yours' }] },
      });
      expect(await kept(change.rowId)).toBeUndefined();
    });
  });
}
