/** Learners, a clock and a post office that does as it is told, on a database of their own. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { devices, mails, syncScopes, tables } from '../../db/tables.ts';
import type { TestServer } from '../../test-kit/server.ts';
import {
  createMail,
  type HandOver,
  type Mail,
  type MailParts,
  type MailTransport,
  type OutgoingMail,
} from '../index.ts';

export const ORIGIN = 'https://parley.example';
export const SECRET = 'a secret that is long enough for a test';
const START_MS = Date.parse('2026-11-18T12:00:00.000Z');
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Takes everything, and keeps nothing. */
export const toNobody: MailTransport = { name: 'nobody', send: async () => ({ outcome: 'accepted' }) };

/** Beside a server that is tested: the mail of its database. */
export const mailOf = (
  { database: { db }, now }: Pick<TestServer, 'database' | 'now'>,
  { secret = SECRET } = {},
): Mail =>
  createMail({
    db,
    now,
    newId: randomUUID,
    transport: toNobody,
    origin: ORIGIN,
    secret,
    changed: () => undefined,
  });

export type UserRow = typeof tables.users.$inferSelect;
export type StoredMail = typeof mails.$inferSelect;

export interface PostOffice {
  sent: OutgoingMail[];
  /** What it answers, by who is written to. */
  answer: (mail: OutgoingMail) => HandOver | Promise<HandOver>;
}

export interface MailScene {
  database: DatabaseConnection;
  post: PostOffice;
  mail: Mail;
  /** Another server on the same database, with the same post office unless told otherwise. */
  anotherServer: (parts?: Partial<MailParts>) => Mail;
  now: () => Date;
  pass: (ms: number) => void;
  goTo: (iso: string) => void;
  /** With access since now, on a device in this time zone; null: on none. */
  aLearner: (given?: Partial<UserRow> & { timeZone?: string | null }) => Promise<{ userId: string; email: string }>;
  userRow: (userId: string) => Promise<UserRow>;
  mailsOf: (userId: string) => Promise<StoredMail[]>;
  mailsTo: (to: string) => Promise<StoredMail[]>;
}

const NOBODY: Omit<UserRow, 'userId' | 'email' | 'createdAt' | 'updatedAt' | 'accessDate'> = {
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

/** For the suite that calls this: empty until its tests begin, closed when they are over; learners of one test meet no other. */
export function setUpMailScene(open: () => Promise<DatabaseConnection>): MailScene {
  const scene = {} as MailScene;
  let nowMs = START_MS;
  const now = (): Date => new Date(nowMs);
  const transport = {
    name: 'post office',
    send: async (mail: OutgoingMail): Promise<HandOver> => {
      const answer = await scene.post.answer(mail);
      if (answer.outcome === 'accepted') scene.post.sent.push(mail);
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
      changed: () => undefined,
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
      pass: (ms: number) => {
        nowMs += ms;
      },
      goTo: (iso: string) => {
        nowMs = Date.parse(iso);
      },
      aLearner: async ({ timeZone = 'UTC', ...given }: Parameters<MailScene['aLearner']>[0] = {}) => {
        const userId = randomUUID();
        const email = `${userId}@example.org`;
        const at = now();
        const row = { ...NOBODY, userId, email, accessDate: at, createdAt: at, updatedAt: at, ...given };
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
            // Before they had access: no sign of them since.
            lastSeenAt: new Date(at.getTime() - DAY_MS),
            timeZone,
          });
        return { userId, email: row.email ?? '' };
      },
      userRow: async (userId: string) => {
        const [user] = await db.select().from(tables.users).where(eq(tables.users.userId, userId));
        if (user === undefined) throw new Error('no such learner');
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
    scene.post = { sent: [], answer: () => ({ outcome: 'accepted' }) };
    scene.mail = anotherServer();
  });
  afterAll(() => scene.database.close());
  return scene;
}

/** As long as a mail server thinks. */
export const afterA = async (ms: number, answer: HandOver): Promise<HandOver> => {
  await sleep(ms);
  return answer;
};
