import { ORPCError } from '@orpc/client';
import { CourseId, PracticeId, type Row } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { aClock, openHost, type OpenHost } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import {
  aCatalogue,
  aPractice,
  COMING_SOON,
  LATE_DELIVERY,
  LATE_REPLY,
  SORRY_REPLY,
  testId,
} from '../test-kit/test-catalogue.ts';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

const CUSTOMERS = CourseId.parse(testId(51));
const SOON = CourseId.parse(testId(52));
const REFUND = PracticeId.parse(testId(14));
const [DELIVERIES, REFUNDS] = [testId(61), testId(62)];
const VIDEO = testId(81);

/** The course has a second section with a practice and a video, and another course is coming soon. */
async function twoSections() {
  const catalogue = await aCatalogue();
  const [course] = catalogue.courses;
  const [section] = catalogue.courseSections;
  const [placed] = catalogue.courseSectionPractices;
  if (course === undefined || section === undefined || placed === undefined) throw new Error('no course');
  const { createdAt, updatedAt, syncVersion, deletedAt } = course;
  const mixin = { createdAt, updatedAt, syncVersion, deletedAt };
  const videos: Row<'videos'>[] = [
    {
      ...mixin,
      videoId: VIDEO,
      title: 'How to say no',
      description: 'Three ways.',
      fileUrl: `/media/${VIDEO}`,
      transcript: 'No.',
      availability: 'ready',
    },
  ];
  return {
    ...catalogue,
    practices: [...catalogue.practices, aPractice(REFUND, 'A refund', 'ready')],
    courses: [course, { ...course, courseId: SOON, title: 'A later course', status: 'coming_soon' as const }],
    courseSections: [section, { ...section, courseSectionId: REFUNDS, title: 'Refunds', order: 2 }],
    courseSectionPractices: [
      ...catalogue.courseSectionPractices,
      { ...placed, courseSectionPracticeId: testId(75), courseSectionId: REFUNDS, practiceId: REFUND, position: 2 },
    ],
    videos,
    courseSectionVideos: [
      { ...mixin, courseSectionVideoId: testId(91), courseSectionId: REFUNDS, videoId: VIDEO, position: 1 },
    ],
  };
}

const opened: OpenHost[] = [];
async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const host = await openHost({ loadCatalogue: twoSections, ...options });
  opened.push(host);
  return host;
}
afterEach(async () => {
  for (const { host } of opened.splice(0)) await host.close();
});

const place = (courseSectionId: string) => ({ courseId: CUSTOMERS, courseSectionId });
const start = ({ ask }: OpenHost, practiceId: PracticeId, courseSectionId: string) =>
  ask.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'text', place: place(courseSectionId) });

async function finish(device: OpenHost, practiceId: PracticeId, courseSectionId: string): Promise<string> {
  const { sessionId } = await start(device, practiceId, courseSectionId);
  await device.ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  await device.ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
  await device.ask.practice.finish({ sessionId });
  return sessionId;
}

const read = ({ ask }: OpenHost) => ask.courses.read({ courseId: CUSTOMERS });

async function codeOf(asked: Promise<unknown>): Promise<string> {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ORPCError ? String(error.code) : 'none';
}

describe('courses without a server', () => {
  it('are listed with their practices and videos in order, nothing locked', async () => {
    const device = await open();
    expect((await device.ask.courses.list()).map(({ title, total }) => [title, total])).toEqual([
      ['Customers', 3],
      ['A later course', 0],
    ]);
    const { sections, goals } = await read(device);
    expect(sections.map(({ title, lock }) => [title, lock])).toEqual([
      ['Deliveries', null],
      ['Refunds', null],
    ]);
    const states = sections.map(({ items }) =>
      items.map((item) => (item.kind === 'practice' ? item.practice.state : `video ${item.video.state}`)),
    );
    expect(states).toEqual([
      ['ready', 'coming_soon'],
      ['video ready', 'ready'],
    ]);
    expect(goals).toEqual([{ text: 'Say what is late.', isReached: false }]);
  });

  it('tick a goal when its objective was reached, not when its practice was finished without it', async () => {
    const device = await open();
    const { sessionId } = await start(device, LATE_DELIVERY, DELIVERIES);
    await device.ask.practice.sendTyped({ sessionId, text: 'We have a problem with your order today.', hintLevel: 0 });
    await device.ask.practice.finish({ sessionId });
    expect(await read(device)).toMatchObject({ done: 1, goals: [{ isReached: false }] });
    await finish(device, LATE_DELIVERY, DELIVERIES);
    expect(await read(device)).toMatchObject({ done: 1, goals: [{ isReached: true }] });
  });

  it('are joined and left offline, twice, in one row', async () => {
    const device = await open();
    const isEnrolled = async () => (await read(device)).isEnrolled;
    for (let round = 0; round < 2; round += 1) {
      await device.ask.courses.enrol({ courseId: CUSTOMERS });
      await device.ask.courses.enrol({ courseId: CUSTOMERS });
      expect(await isEnrolled()).toBe(true);
      await device.ask.courses.leave({ courseId: CUSTOMERS });
      await device.ask.courses.leave({ courseId: CUSTOMERS });
      expect(await isEnrolled()).toBe(false);
    }
    const rows = inDatabase(device.dataDir, (sqlite) => sqlite.prepare('SELECT * FROM enrollments').all());
    expect(rows).toHaveLength(1);
  });

  it('lead from practice to video to the end', async () => {
    const device = await open();
    await device.ask.courses.enrol({ courseId: CUSTOMERS });
    const today = async () => (await device.ask.today.overview()).courses.map(({ next, done }) => [next, done]);
    expect(await today()).toMatchObject([[{ kind: 'practice', practice: { practiceId: LATE_DELIVERY } }, 0]]);
    await finish(device, LATE_DELIVERY, DELIVERIES);
    expect(await today()).toMatchObject([[{ kind: 'video', video: { videoId: VIDEO } }, 1]]);
    const video = { ...place(REFUNDS), videoId: VIDEO };
    expect(await device.ask.courses.video(video)).toMatchObject({ positionS: 0, transcript: 'No.' });
    await device.ask.courses.keepPosition({ videoId: VIDEO, positionS: 12.5 });
    await device.ask.courses.watched(video);
    expect(await device.ask.courses.video(video)).toMatchObject({
      positionS: 12.5,
      next: { kind: 'practice', practice: { practiceId: REFUND } },
    });
    await finish(device, REFUND, REFUNDS);
    expect(await read(device)).toMatchObject({ done: 3, total: 3, next: null, isFinished: true, nextCourse: null });
    expect(await today()).toEqual([]);
  });

  it('do not count a practice without speech as done', async () => {
    const device = await open();
    const { sessionId } = await start(device, LATE_DELIVERY, DELIVERIES);
    expect((await device.ask.practice.finish({ sessionId })).status).toBe('completed');
    expect(await read(device)).toMatchObject({ done: 0, next: { practice: { practiceId: LATE_DELIVERY } } });
    await finish(device, LATE_DELIVERY, DELIVERIES);
    expect((await read(device)).done).toBe(1);
  });

  it('record each section once, and the course with every session and turn', async () => {
    const device = await open();
    await start(device, LATE_DELIVERY, DELIVERIES);
    const sessionId = await finish(device, LATE_DELIVERY, DELIVERIES);
    const rows = inDatabase(device.dataDir, (sqlite) => ({
      interactions: sqlite
        .prepare(
          "SELECT interaction_type AS type, course_id AS course, details ->> '$.courseSectionId' AS section FROM user_course_interaction ORDER BY timestamp, type DESC",
        )
        .all(),
      turns: sqlite
        .prepare('SELECT DISTINCT course_id FROM ai_conversations WHERE session_id = ?')
        .pluck()
        .all(sessionId),
    }));
    expect(rows.interactions).toHaveLength(3);
    expect(rows.interactions).toEqual(
      expect.arrayContaining(
        ['section_opened', 'practice'].map((type) => ({ type, course: CUSTOMERS, section: DELIVERIES })),
      ),
    );
    expect(rows.turns).toEqual([CUSTOMERS]);
  });

  it.each([
    [
      'a course that does not exist',
      (device: OpenHost) => device.ask.courses.read({ courseId: CourseId.parse(testId(99)) }),
      'course.not_found',
    ],
    [
      'joining a course that is coming soon',
      (device: OpenHost) => device.ask.courses.enrol({ courseId: SOON }),
      'course.locked',
    ],
    [
      'a practice that is not in the section',
      (device: OpenHost) => start(device, REFUND, DELIVERIES),
      'course.not_found',
    ],
    [
      'a practice that is not ready',
      (device: OpenHost) => start(device, COMING_SOON, DELIVERIES),
      'practice.not_found',
    ],
  ])('refuse %s', async (_case, ask, code) => {
    expect(await codeOf(ask(await open()))).toBe(code);
  });
});

describe('courses of a server that sells plans', { timeout: 120_000 }, () => {
  const clock = aClock();

  async function aShop(): Promise<TestServer> {
    const server = await startServer({ now: clock.now, catalogue: await twoSections() });
    await server.execute(sql`
      insert into products (id, product_id, active, name, is_test, created_at, updated_at, sync_version)
      values (${testId(201)}, 'prod', true, 'Plus', true, now(), now(), 1)`);
    await server.execute(sql`
      insert into prices (id, price_id, product_id, unit_amount, currency, pricing_type, type, is_test, created_at, updated_at, sync_version)
      values (${testId(202)}, 'price', ${testId(201)}, 900, 'eur', 'recurring', 'PLUS', true, now(), now(), 1)`);
    return server;
  }

  it('leave their practices open on their own on the free plan, as the pricing page promises', async () => {
    const server = await aShop();
    const device = await open({ serverUrl: server.url, clock });
    await device.ask.sync.run();
    await device.ask.account.state();
    expect((await read(device)).sections[1]?.lock).toBe('plan');
    expect((await device.ask.catalogue.practices()).find((card) => card.practiceId === REFUND)?.state).toBe('ready');
    await device.ask.practice.start({ practiceId: REFUND, difficulty: 'easy', communicationStyle: 'text' });
    expect((await read(device)).sections[1]?.lock).toBe('plan');
  });

  it('open the first section and started sections on the free plan', async () => {
    const server = await aShop();
    const device = await open({ serverUrl: server.url, clock });
    const locks = async () => (await read(device)).sections.map(({ lock, isKeptOpen }) => [lock, isKeptOpen]);
    await device.ask.sync.run();
    await device.ask.account.state();
    expect(await locks()).toEqual([
      [null, false],
      ['plan', false],
    ]);
    expect(await codeOf(start(device, REFUND, REFUNDS))).toBe('course.locked');
    expect(await codeOf(device.ask.courses.video({ ...place(REFUNDS), videoId: VIDEO }))).toBe('course.locked');
    const findVideo = () => device.host.videoFiles.find({ videoId: VIDEO, part: 'file' });
    expect(await findVideo()).toEqual({ ok: false, error: { code: 'course.locked', detail: 'plan' } });

    const { userId } = inDatabase(device.dataDir, (sqlite) =>
      sqlite.prepare('SELECT user_id AS userId FROM sync_state').get(),
    ) as { userId: string };
    await server.execute(sql`
      insert into subscriptions (subscription_id, user_id, plan_type, quota, remaining_time, cancel_at_period_end, status, created_at, updated_at, sync_version)
      values (${testId(203)}, ${userId}, 'PLUS', 100, 100, false, 'active', now(), now(), 1)`);
    await device.ask.account.state();
    expect(await locks()).toEqual([
      [null, false],
      [null, false],
    ]);
    await start(device, REFUND, REFUNDS);
    await server.execute(sql`update subscriptions set status = 'canceled'`);
    await device.ask.account.state();
    expect(await locks()).toEqual([
      [null, false],
      [null, true],
    ]);
    expect(await findVideo()).toMatchObject({ ok: true, value: { url: `${server.url}/media/${VIDEO}` } });
    await server.close();
  });

  it('are unlocked on their own page when a class is given them', async () => {
    const server = await aShop();
    const device = await open({ serverUrl: server.url, clock });
    await device.ask.sync.run();
    await device.ask.account.state();
    expect((await read(device)).sections[1]?.lock).toBe('plan');
    await device.host.whenIdle();
    await server.execute(sql`insert into classes (id, name, created_at) values (${testId(302)}, 'Evening', now())`);
    await server.execute(
      sql`insert into class_members (class_id, user_id, added_at) select ${testId(302)}, user_id, now() from users`,
    );
    await server.execute(
      sql`insert into class_courses (class_id, course_id, assigned_at) values (${testId(302)}, ${CUSTOMERS}, now())`,
    );
    clock.pass(60_000);
    await read(device);
    await device.host.whenIdle();
    expect((await read(device)).sections[1]?.lock).toBeNull();
    await server.close();
  });

  it('are assigned by a class, shown offline, opened, and forgotten at sign-out', async () => {
    const mailbox = aMailbox();
    const server = await startServer({
      now: clock.now,
      enqueueMail: mailbox.enqueueMail,
      catalogue: await twoSections(),
    });
    const device = await open({ serverUrl: server.url, clock });
    await device.ask.sync.run();
    await mailbox.signIn(device, 'learner@example.com');
    const classId = testId(301);
    await server.execute(sql`insert into classes (id, name, created_at) values (${classId}, 'Evening', now())`);
    await server.execute(
      sql`insert into class_members (class_id, user_id, added_at) select ${classId}, user_id, now() from users where email = 'learner@example.com'`,
    );
    const dueAt = new Date('2026-11-20T22:59:59.000Z');
    await server.execute(
      sql`insert into class_courses (class_id, course_id, due_at, assigned_at) values (${classId}, ${CUSTOMERS}, ${dueAt.toISOString()}, now())`,
    );
    const assignments = async (of: OpenHost) => {
      await of.ask.today.overview();
      await of.host.whenIdle();
      return (await of.ask.today.overview()).assignments;
    };
    clock.pass(60_000);
    const assigned = { courseId: CUSTOMERS, title: 'Customers', className: 'Evening', dueAt, done: 0, total: 3 };
    expect(await assignments(device)).toEqual([assigned]);

    server.fail = 'internal';
    clock.pass(60_000);
    await finish(device, LATE_DELIVERY, DELIVERIES);
    await device.host.close();
    opened.pop();
    const later = await open({ dataDir: device.dataDir, serverUrl: server.url, clock });
    expect(await assignments(later)).toEqual([{ ...assigned, done: 1 }]);

    server.fail = null;
    await later.ask.account.signOut();
    expect((await later.ask.today.overview()).assignments).toEqual([]);
    await server.close();
  });
});
