import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ENTITY_KEYS, entities } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { aiUsage } from '../../db/metering-tables.ts';
import { devices, rejections, tables } from '../../db/tables.ts';
import { seedLearner } from '../../../test-kit/sync/seed-learner.ts';
import { anEmail, type Mailbox, createMailbox, signInDevice } from '../../../test-kit/mailbox.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import { exportTables } from './export-tables.ts';
import { exportZip } from './export-zip.ts';

export function exportSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let learner: TestDevice;
  beforeAll(async () => {
    mailbox = createMailbox();
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue });
  });
  beforeEach(async () => {
    learner = await signInDevice(server, mailbox, { email: anEmail(), as: await registerDevice(server) });
  });
  afterAll(() => server.close());

  describe('exporting an account', () => {
    const exported = async (as = learner) => {
      const { statusCode, payload, headers } = await server.app.inject({
        method: 'GET',
        url: '/v1/account/export',
        headers: { authorization: `Bearer ${as.token}` },
      });
      expect(statusCode).toBe(200);
      expect(headers['content-disposition']).toContain('attachment');
      return { payload, tables: JSON.parse(payload) as Record<string, Record<string, unknown>[]> };
    };

    const subject = () => ({ userId: learner.userId, conversationOf: async () => [] });

    it('returns every row of the learner from every table', async () => {
      await seedLearner(server, learner);
      const { tables: all } = await exported();
      for (const key of ENTITY_KEYS) {
        const { name, owner, fields } = entities[key];
        if (owner === 'catalogue') expect(all).not.toHaveProperty(name);
        else {
          expect(all[name], name).toHaveLength(1);
          expect(Object.keys(all[name]?.[0] ?? {})).toEqual(expect.arrayContaining(Object.keys(fields)));
        }
      }
      expect(all['mails']).toHaveLength(2);
      for (const name of [
        'devices',
        'rejections',
        'ai_usage',
        'ai_leases',
        'audit_log',
        'class_members',
        'crash_reports',
        'practice_reports',
        'link_codes',
        'sign_ins',
      ])
        expect(all[name]?.length, name).toBeGreaterThan(0);
    });

    it('includes each table that refers to a learner', async () => {
      const { rows } = (await server.database.db.execute(sql`
        select distinct conrelid::regclass::text as name
        from pg_constraint
        where contype = 'f' and confrelid = 'users'::regclass`)) as { rows: { name: string }[] };
      const { tables: all } = await exported();
      const missing = rows.map(({ name }) => name).filter((name) => !(name in all));
      // The secret of an authenticator app is a credential.
      expect(missing).toEqual(['second_factors']);
    });

    it('reads a few of the long rejections of an old server at once', async () => {
      const { db } = server.database;
      await db.execute(sql`
        insert into rejections (device_id, device_seq, code, refused)
        select ${learner.deviceId}, nr, 'invalid', jsonb_build_array(jsonb_build_object('field', repeat('x', 1000000)))
        from generate_series(1, 12) as nr`);
      const [stored] = (await exportTables(db, subject())).filter(({ name }) => name === 'rejections');
      if (stored === undefined) throw new Error('no rejections');
      const read: unknown[] = [];
      for await (const row of stored.rows) {
        read.push(row);
        // Anything that has not been read by now cannot arrive.
        await db.delete(rejections);
      }
      expect(read).toHaveLength(2);
    });

    it('returns long tables completely, in pages', async () => {
      const rows = Array.from({ length: 1_201 }, () => ({
        id: randomUUID(),
        userId: learner.userId,
        use: 'reply' as const,
        style: 'turn_based' as const,
        localDay: '2026-11-18',
        at: server.now(),
      }));
      await server.database.db.insert(aiUsage).values(rows);
      const { tables: all } = await exported();
      expect(new Set(all['ai_usage']?.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)));
    });

    it('contains nothing of another learner and no credentials', async () => {
      await seedLearner(server, learner);
      const stranger = await registerDevice(server);
      const { payload } = await exported(stranger);
      expect(payload).not.toContain(learner.userId);
      const own = (await exported()).payload;
      expect(own).not.toMatch(/(token|code|link)_?hash/i);
      const [device] = await server.database.db.select().from(devices).where(eq(devices.deviceId, learner.deviceId));
      expect(own).not.toContain(device?.tokenHash);
    });

    it('needs a token', async () => {
      expect(await server.send({ method: 'GET', url: '/v1/account/export' })).toMatchObject({ status: 401 });
    });

    it('produces CSV files without formulas', async () => {
      await seedLearner(server, learner);
      const words = { firstName: '=HYPERLINK("http://evil.example")', lastName: 'O"Neill,\r\nJr.' };
      await server.database.db.update(tables.users).set(words).where(eq(tables.users.userId, learner.userId));
      const pieces: Uint8Array[] = [];
      for await (const piece of exportZip(server.database.db, subject(), Readable.from([]))) pieces.push(piece);
      const files = unzipSync(Buffer.concat(pieces));
      const { tables: all } = await exported();
      expect(Object.keys(files).toSorted()).toEqual(
        Object.keys(all)
          .map((name) => `${name}.csv`)
          .toSorted(),
      );
      const users = Buffer.from(files['users.csv'] ?? []).toString();
      expect(users).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
      expect(users).toContain('"O""Neill,\r\nJr."');
      expect(users.split('\r\n')[0]).toContain('userId');
      for (const [name, rows] of Object.entries(all)) {
        const text = Buffer.from(files[`${name}.csv`] ?? []).toString();
        expect(text.length > 0 && (rows.length === 0 || text.includes('\r\n')), name).toBe(true);
        // Without this byte order mark, Excel assumes the system's own encoding.
        expect(text.startsWith('\uFEFF'), name).toBe(true);
      }
    });
  });
}
