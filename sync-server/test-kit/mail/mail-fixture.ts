/** Test fixture for mail: learners, a clock and a scripted transport on a database of their own. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../../src/db/client.ts';
import { mails } from '../../src/db/mail-tables.ts';
import { devices, syncScopes, tables } from '../../src/db/tables.ts';
import type { TestServer } from '../server.ts';
import {
  createMail,
  type SendResult,
  type Mail,
  type MailParts,
  type MailTransport,
  type OutgoingMail,
} from '../../src/mail/index.ts';

export const ORIGIN = 'https://parley.example';
export const SECRET = 'a secret that is long enough for a test';
const START_MS = Date.parse('2026-11-18T12:00:00.000Z');
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Accepts every mail and keeps none. */
export const discardingTransport: MailTransport = { name: 'discard', send: async () => ({ outcome: 'accepted' }) };

/** The mail feature on a test server's database. */
export const createMailFor = (
  { database: { db }, now }: Pick<TestServer, 'database' | 'now'>,
  { secret = SECRET } = {},
): Mail =>
  createMail({
    db,
    now,
    newId: randomUUID,
    transport: discardingTransport,
    origin: ORIGIN,
    secret,
    onChanged: () => undefined,
  });

export type UserRow = typeof tables.users.$inferSelect;
export type StoredMail = typeof mails.$inferSelect;

export interface ScriptedTransport {
  sent: OutgoingMail[];
  /** Returns the scripted outcome for a mail. */
  answer: (mail: OutgoingMail) => SendResult | Promise<SendResult>;
}

export interface MailFixture {
  database: DatabaseConnection;
  scriptedTransport: ScriptedTransport;
  mail: Mail;
  /** Another server on the same database, with the same transport by default. */
  anotherServer: (parts?: Partial<MailParts>) => Mail;
  now: () => Date;
  advanceClock: (ms: number) => void;
  setTime: (iso: string) => void;
  /** A learner whose access starts now, on a device in this time zone; null creates no device. */
  createLearner: (
    given?: Partial<UserRow> & { timeZone?: string | null },
  ) => Promise<{ userId: string; email: string }>;
  userRow: (userId: string) => Promise<UserRow>;
  mailsOf: (userId: string) => Promise<StoredMail[]>;
  mailsTo: (to: string) => Promise<StoredMail[]>;
}

const DEFAULT_USER: Omit<UserRow, 'userId' | 'email' | 'createdAt' | 'updatedAt' | 'accessDate'> = {
  firstName: 'Anna',
  lastName: null,
  jobTitle: null,
  industry: null,
  agentId: null,
  avatarUrl: null,
  hasAccess: true,
  summary: null,
  englishLevel: null,
  subscriptionId: null,
  lastLoginAt: null,
  emailNotifications: true,
  isAdmin: false,
  practiceDifficulty: null,
  practiceStyle: null,
  hasSeenOnboarding: false,
  notYetPracticedEmailSent: false,
  planUpgradeReminderEmailSent: false,
  accessLinkNotReceivedEmailSent: false,
  notLoggedInAfterAccessEmailSent: false,
  syncVersion: 1,
  deletedAt: null,
  fieldClocks: {},
};

/**
 * Call it inside a suite: the fixture is open while the tests run. Learners of earlier tests lose their access, so that they get no mail.
 */
export function setUpMailFixture(open: () => Promise<DatabaseConnection>): MailFixture {
  const scene = {} as MailFixture;
  let nowMs = START_MS;
  const now = (): Date => new Date(nowMs);
  const transport = {
    name: 'scripted',
    send: async (mail: OutgoingMail): Promise<SendResult> => {
      const answer = await scene.scriptedTransport.answer(mail);
      if (answer.outcome === 'accepted') scene.scriptedTransport.sent.push(mail);
      return answer;
    },
  };
  const anotherServer = (parts: Partial<MailParts> = {}): Mail =>
    createMail({
      db: scene.database.db,
      now,
      newId: randomUUID,
      transport,
      origin: ORIGIN,
      secret: SECRET,
      onChanged: () => undefined,
      chance: () => 0.5,
      ...parts,
    });

  beforeAll(async () => {
    const database = await open();
    const { db } = database;
    Object.assign(scene, {
      database,
      anotherServer,
      now,
      advanceClock: (ms: number) => {
        nowMs += ms;
      },
      setTime: (iso: string) => {
        nowMs = Date.parse(iso);
      },
      createLearner: async ({ timeZone = 'UTC', ...given }: Parameters<MailFixture['createLearner']>[0] = {}) => {
        const userId = randomUUID();
        const email = `${userId}@example.org`;
        const at = now();
        const row = { ...DEFAULT_USER, userId, email, accessDate: at, createdAt: at, updatedAt: at, ...given };
        await db.insert(tables.users).values(row);
        await db.insert(syncScopes).values({ scope: `user:${userId}`, version: 1 });
        if (timeZone !== null)
          await db.insert(devices).values({
            deviceId: randomUUID(),
            userId,
            name: 'Laptop',
            platform: 'linux',
            tokenHash: '',
            createdAt: at,
            // The device was last seen before the access.
            lastSeenAt: new Date(at.getTime() - DAY_MS),
            timeZone,
          });
        return { userId, email: row.email ?? '' };
      },
      userRow: async (userId: string) => {
        const [user] = await db.select().from(tables.users).where(eq(tables.users.userId, userId));
        if (user === undefined) throw new Error('there is no such learner');
        return user;
      },
      mailsOf: (userId: string) => db.select().from(mails).where(eq(mails.userId, userId)).orderBy(mails.createdAt),
      mailsTo: (to: string) => db.select().from(mails).where(eq(mails.to, to)).orderBy(mails.createdAt),
    });
  });

  beforeEach(async () => {
    const { db } = scene.database;
    await db.delete(mails);
    await db
      .update(tables.users)
      .set({ hasAccess: false })
      .where(inArray(tables.users.hasAccess, [true]));
    nowMs = START_MS;
    scene.scriptedTransport = { sent: [], answer: () => ({ outcome: 'accepted' }) };
    scene.mail = anotherServer();
  });
  afterAll(() => scene.database.close());
  return scene;
}

/** Answers after a delay, as a real mail server does. */
export const answerAfter = async (ms: number, answer: SendResult): Promise<SendResult> => {
  await sleep(ms);
  return answer;
};
