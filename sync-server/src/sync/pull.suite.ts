import { randomUUID } from 'node:crypto';
import { entities, entityKeyByTable } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { setUpHousehold } from '../test-kit/household.ts';
import { pushSession, pushTurn, sessionFields } from '../test-kit/rows.ts';

export function pullSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpHousehold(open);

  describe('a pull', () => {
    it('gives the same rows page by page as at once, none twice', async () => {
      const { server, laptop, phone, ids } = home;
      for (let index = 0; index < 12; index += 1) await pushSession(server, laptop, ids, `page ${index}`);
      const whole = await phone.pull();
      for (const limit of [1, 3, 50]) {
        const paged = await phone.pull({ limit });
        const keyOf = ({ table, fields }: (typeof paged)[number]): string => `${table} ${JSON.stringify(fields)}`;
        expect(paged.map(keyOf).toSorted()).toEqual(whole.map(keyOf).toSorted());
      }
    });

    it('names parents before the rows that refer to them, of those that were written together', async () => {
      const { server, laptop } = home;
      await pushTurn(server, laptop);
      const rows = await laptop.pull();
      const tableOrder = [...entityKeyByTable.keys()];
      const versions = Map.groupBy(rows, ({ table, fields }) => {
        const key = entityKeyByTable.get(table);
        return `${key !== undefined && entities[key].owner === 'catalogue'} ${String(fields['syncVersion'])}`;
      });
      for (const together of versions.values()) {
        const places = together.map(({ table }) => tableOrder.indexOf(table));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
      expect(
        [...versions.values()].filter((together) => new Set(together.map(({ table }) => table)).size > 1),
      ).not.toEqual([]);
    });

    it('gives only what is newer than the cursors, and never half of a push', async () => {
      const { server, laptop, phone, ids } = home;
      const before = (await pushSession(server, laptop, ids)).pushed.userVersion;
      const changes = Array.from({ length: 5 }, () =>
        laptop.change({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: sessionFields(ids, laptop.userId, 'five'),
        }),
      );
      await laptop.push(...changes);
      const later = await pushSession(server, laptop, ids, 'later');
      const cursors = { user: before, catalogue: Number.MAX_SAFE_INTEGER };
      const page = await server.post(
        '/v1/sync/pull',
        { protocol: 1, deviceId: phone.deviceId, cursors, limit: 2 },
        phone.token,
      );
      expect(page.body).toMatchObject({ more: true, next: { user: before + 1 } });
      expect(page.body['rows']).toHaveLength(5);
      const rest = await phone.pull({ user: before + 1, catalogue: cursors.catalogue });
      expect(rest.map(({ fields }) => fields['id'])).toEqual([later.rowId]);
      expect(await phone.pull({ user: later.pushed.userVersion, catalogue: cursors.catalogue })).toEqual([]);
    });

    it.each([
      ['a page of nothing', () => ({ limit: 0 })],
      ['a page without end', () => ({ limit: 1_001 })],
      ['a cursor before the beginning', () => ({ cursors: { user: -1, catalogue: 0 } })],
      ['a cursor that is no number', () => ({ cursors: { user: '0 or 1=1', catalogue: 0 } })],
      ['another learner by name', () => ({ userId: home.stranger.userId })],
    ])('refuses %s', async (_what, wrong) => {
      const body = {
        protocol: 1,
        deviceId: home.laptop.deviceId,
        cursors: { user: 0, catalogue: 0 },
        limit: 1,
        ...wrong(),
      };
      expect(await home.server.post('/v1/sync/pull', body, home.laptop.token)).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
    });

    it('holds no customer number and no other account', async () => {
      const rows = await home.stranger.pull();
      expect(rows.some(({ table }) => table === 'customers')).toBe(false);
      expect(rows.filter(({ table }) => table === 'users').map(({ fields }) => fields['userId'])).toEqual([
        home.stranger.userId,
      ]);
    });
  });
}
