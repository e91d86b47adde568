/** Seeds rows for a learner in every table. */
import { randomUUID } from 'node:crypto';
import { ENTITY_KEYS, entities, wireSchema } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { crashReports } from '../../src/db/crash-tables.ts';
import { practiceReports } from '../../src/db/practice-report-tables.ts';
import { mails } from '../../src/db/mail-tables.ts';
import { classes, classMembers } from '../../src/db/school-tables.ts';
import { aiLeases, aiUsage } from '../../src/db/metering-tables.ts';
import { pendingPlanChanges, rejections, tables } from '../../src/db/tables.ts';
import { aRow } from './any-row.ts';
import type { TestDevice, TestServer } from '../server.ts';

const MICROS = 1_234;

/** The learner must have an address. */
export async function seedLearner(server: TestServer, { userId, deviceId, token }: TestDevice): Promise<void> {
  const { db } = server.database;
  const [user] = await db.select().from(tables.users).where(eq(tables.users.userId, userId));
  const email = user?.email ?? '';
  const idByTable = new Map<string, string>([['users', userId]]);
  for (const key of ENTITY_KEYS) {
    if (key === 'users') continue;
    const table: PgTable = tables[key];
    await db.insert(table).values(wireSchema(entities[key]).parse(aRow(key, idByTable)));
  }
  const use = { userId, use: 'live', style: 'turn_based', localDay: '2026-11-18', at: server.now() } as const;
  const sessionId = randomUUID();
  await db.insert(aiUsage).values({ ...use, id: `live:${sessionId}`, sessionId, costMicros: MICROS, seconds: 60 });
  const lease = {
    style: 'turn_based',
    timeZone: 'UTC',
    countedUntil: server.now(),
    expiresAt: server.now(),
  } as const;
  await db.insert(aiLeases).values({ userId, sessionId: randomUUID(), deviceId, ...lease });
  await db
    .insert(pendingPlanChanges)
    .values({ userId, nextPriceId: null, nextAt: null, endsWithAccount: false, isPeriodUnpaid: false });
  const mail = { to: email, subject: email, html: '', text: '', state: 'sent', step: '1' } as const;
  const times = { nextTryAt: server.now(), createdAt: server.now() };
  await db.insert(mails).values([
    { ...mail, ...times, id: randomUUID(), userId, kind: 'access_link' },
    { ...mail, ...times, id: randomUUID(), userId: null, kind: 'sign_in' },
    // A mail to an admin about this learner.
    { ...mail, ...times, id: randomUUID(), userId: null, kind: 'link_lost', to: 'boss@example.org', step: userId },
  ]);
  await db.insert(rejections).values({ deviceId, deviceSeq: 1, code: 'conflict', field: null });
  const [schoolClass] = await db
    .insert(classes)
    .values({ id: randomUUID(), name: 'B1 on Mondays', createdAt: server.now(), archivedAt: null })
    .returning();
  if (schoolClass !== undefined)
    await db.insert(classMembers).values({ classId: schoolClass.id, userId, addedAt: server.now() });
  await db.insert(crashReports).values({
    id: randomUUID(),
    userId,
    receivedAt: server.now(),
    at: server.now(),
    source: 'window',
    version: '1.0.0',
    system: 'linux',
    kind: 'TypeError',
    frames: [],
  });
  await db.insert(practiceReports).values({
    id: randomUUID(),
    userId,
    receivedAt: server.now(),
    at: server.now(),
    practiceId: randomUUID(),
    node: null,
    line: null,
    text: 'Grace asked me twice.',
  });
  await server.post('/v1/devices/link-code', {}, token);
}
