/** Times the admin panel's lists on PostgreSQL with a large school, through the server's own calls. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { bringInStarterCatalogue, buildApp, openDatabase } from '../../../sync-server/src/index.ts';
import { seedSchool } from '../../../sync-server/test-kit/school/seed-school.ts';
import { startPostgres } from '../processes/start-postgres.ts';
import { quantile } from './quantile.ts';

const ADMIN = 'admin@parley.example';
const OWN_PAGE = { host: 'parley.example', 'sec-fetch-site': 'same-origin' };

/** The panel's queries: first pages, far pages, every order, searches and filters. */
const LIST_CALLS: readonly [call: string, body: object][] = [
  ['users', {}],
  ['users', { page: 500 }],
  ['users', { page: 999, sort: 'createdAt', direction: 'desc' }],
  ['users', { sort: 'email' }],
  ['users', { sort: 'lastName', page: 300 }],
  ['users', { sort: 'lastLoginAt', direction: 'desc' }],
  ['users', { search: 'kowalczyk' }],
  ['users', { search: 'Marta Kow' }],
  ['users', { search: 'no such learner' }],
  ['users', { only: 'waiting' }],
  ['users', { only: 'with_access', page: 200 }],
  ['audit', { direction: 'desc' }],
  ['audit', { direction: 'desc', page: 700 }],
  ['audit', { act: 'access_requested', direction: 'desc' }],
  ['mails', { direction: 'desc' }],
  ['mails', { search: 'learner-49' }],
  ['classes', {}],
  ['content/list', { kind: 'practice' }],
  ['content/list', { kind: 'practice', page: 39 }],
  ['content/list', { kind: 'practice', sort: 'editedAt', direction: 'desc', page: 20 }],
  ['content/list', { kind: 'practice', search: 'day off 17' }],
  ['content/list', { kind: 'practice', search: 'no such practice' }],
  ['content/list', { kind: 'practice', only: 'changed' }],
  // The choices of a course's form.
  ['content/list', { kind: 'practice', pageSize: 500 }],
];
const SUMMARY_CALLS: readonly [call: string, body: object][] = [
  ['overview', {}],
  ['home', {}],
  ['numbers', { weeks: 12 }],
];

export interface AdminListTimes {
  learners: number;
  /** Documents of the school’s own. */
  practices: number;
  /** The number for all learners together. */
  sessions: number;
  pages: number;
  listsP95Ms: number;
  slowestList: string;
  /** The slowest of the calls that sum up the whole school. */
  summaryP95Ms: number;
}

export async function measureAdminLists({
  learners = 50_000,
  practicesEach = 4,
  rounds = 12,
} = {}): Promise<AdminListTimes> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-lists-'));
  const postgres = await startPostgres(dir);
  const database = await openDatabase({ type: 'postgres', url: postgres.url });
  let code = '';
  const app = await buildApp({
    database,
    requestsPerMinute: 1_000_000,
    allowedHosts: [OWN_PAGE.host],
    account: { access: 'granted', adminEmails: [ADMIN] },
    enqueueMail: async (_tx, mail) => {
      if (mail.kind === 'sign_in') code = mail.data.code ?? '';
    },
  });
  try {
    const now = new Date();
    await bringInStarterCatalogue({ db: database.db, now: () => now });
    await seedSchool(database.db, now, { learners, practicesEach, waiting: 200 });
    await seedMails(database.db, learners);
    await seedPractices(database.db);
    await database.db.execute(sql`analyze`);
    const send = (url: string, payload: object, cookie = '') =>
      app.inject({ method: 'POST', url, headers: { ...OWN_PAGE, cookie }, payload });
    const { requestId } = (await send('/v1/web/request-sign-in', { email: ADMIN })).json<{ requestId: string }>();
    const signedIn = await send('/v1/web/sign-in', { email: ADMIN, requestId, code });
    const cookie = [signedIn.headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ');
    const time = async ([call, body]: readonly [string, object]): Promise<number> => {
      const startedMs = performance.now();
      const { statusCode, payload } = await send(`/v1/admin/${call}`, body, cookie);
      if (statusCode !== 200) throw new Error(`${call}: ${statusCode} ${payload.slice(0, 200)}`);
      return performance.now() - startedMs;
    };
    const timesByCall = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const call of [...LIST_CALLS, ...SUMMARY_CALLS]) {
        const name = `${call[0]} ${JSON.stringify(call[1])}`;
        timesByCall.set(name, [...(timesByCall.get(name) ?? []), await time(call)]);
      }
    const p95Of = (calls: typeof LIST_CALLS): [name: string, ms: number][] =>
      calls
        .map(([call, body]): [string, number] => {
          const name = `${call} ${JSON.stringify(body)}`;
          return [name, percentile95(timesByCall.get(name) ?? [])];
        })
        .toSorted((a, b) => b[1] - a[1]);
    const [slowest = ['', 0] as const] = p95Of(LIST_CALLS);
    for (const [name, ms] of [...p95Of(LIST_CALLS), ...p95Of(SUMMARY_CALLS)])
      console.error(`  ${ms.toFixed(0)} ms  ${name}`);
    return {
      learners,
      practices: WRITTEN_PRACTICES,
      sessions: learners * practicesEach,
      pages: LIST_CALLS.length * rounds,
      listsP95Ms: slowest[1],
      slowestList: slowest[0],
      summaryP95Ms: p95Of(SUMMARY_CALLS)[0]?.[1] ?? 0,
    };
  } finally {
    await app.close();
    await database.close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

type Database = Awaited<ReturnType<typeof openDatabase>>['db'];

const seedMails = (db: Database, count: number): Promise<unknown> =>
  db.execute(sql`
    insert into mails (id, "to", kind, step, subject, html, text, state, next_try_at, created_at)
    select gen_random_uuid(), 'learner-' || n || '@nordhafen.example', 'access_link', ${randomUUID()} || n, 'Your access', '', '',
      case when n % 100 = 0 then 'bounced' else 'sent' end, now(), now() - n * interval '1 minute'
    from generate_series(1, ${count}::int) n`);

const WRITTEN_PRACTICES = 2_000;
const DRAFT_CHARACTERS = 32_000;

/** Every fourth has a draft of the size that a dialogue at three levels has. */
const seedPractices = (db: Database): Promise<unknown> =>
  db.execute(sql`
    insert into content_documents (id, kind, state, title, draft, revision, created_at, edited_at)
    select gen_random_uuid(), 'practice', case when n % 3 = 0 then 'draft' else 'published' end, 'Ask for a day off ' || n,
      case when n % 4 = 0 or n % 3 = 0
        then jsonb_build_object('title', 'Ask for a day off ' || n, 'text', repeat(md5(n::text), ${DRAFT_CHARACTERS / 32}::int)) end,
      3, now(), now() - n * interval '1 minute'
    from generate_series(1, ${WRITTEN_PRACTICES}::int) n`);

/** Skips the first call, which fills the caches. */
const percentile95 = (times: readonly number[]): number => quantile(times.slice(1), 0.95);
