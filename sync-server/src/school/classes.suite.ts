import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { countAuditStatements } from '../../test-kit/count-audit-statements.ts';
import { registerDevice } from '../../test-kit/server.ts';

export function classesSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  const create = async (name: string): Promise<string> =>
    String((await scene.ask('create-class', { name })).body['classId']);
  const read = async (classId: string) => (await scene.ask('class', { classId })).body;
  type Member = { userId: string; email: string; doneByCourseId: Record<string, number> };
  const members = async (classId: string, asked: object = {}) =>
    (await scene.ask('class-members', { classId, ...asked })).body as unknown as { total: number; rows: Member[] };
  const aCourse = async () => {
    const { rows } = (await scene.server.database.db.execute(sql`
      select c.course_id, c.title, array_agg(p.practice_id) as practices from courses c
      join course_sections s on s.course_id = c.course_id
      join course_section_practices p on p.course_section_id = s.course_section_id
      group by 1, 2 order by 2 limit 1`)) as {
      rows: { course_id: string; title: string; practices: string[] }[];
    };
    if (rows[0] === undefined) throw new Error('the starter catalogue has no course');
    return rows[0];
  };
  /** A device account with an address, which can be added to a class. */
  const aLearner = async () => {
    const device = await registerDevice(scene.server);
    const email = `${device.userId}@example.com`;
    await scene.server.database.db.execute(sql`update users set email = ${email} where user_id = ${device.userId}`);
    const assignments = async () => {
      const headers = { authorization: `Bearer ${device.token}` };
      const { body } = await scene.server.send({ method: 'GET', url: '/v1/account/assignments', headers });
      return body as unknown as Record<string, unknown>[];
    };
    const finish = async (practiceId: string, score: number | null = 80) => {
      const sessionId = randomUUID();
      await scene.server.database.db.execute(sql`
        insert into practice_history (id, practice_id, user_id, agent_id, score, entire_conversation, completed_objectives,
          duration, communication_style, status, difficulty, created_at, updated_at, sync_version)
        values (${sessionId}, ${practiceId}, ${device.userId}, (select agent_id from ai_agent_profiles limit 1), ${score}, '[]', '[]',
          60, 'audio', 'completed', 'easy', now(), now(), 1)`);
      return sessionId;
    };
    return { userId: device.userId, email, assignments, finish };
  };

  describe('a class', () => {
    it('shows its learners the course, and the admin which of them have finished', async () => {
      const course = await aCourse();
      const [one, two] = [await aLearner(), await aLearner()];
      const classId = await create('Évening 🎧 مساء');
      expect(
        (await scene.ask('add-to-class', { classId, emails: [one.email, two.email, 'no@example.com'] })).body,
      ).toEqual({
        added: 2,
        unknown: ['no@example.com'],
      });
      const dueAt = '2026-12-01T22:59:59.000Z';
      await scene.ask('assign-course', { classId, courseId: course.course_id, dueAt });
      const assigned = { courseId: course.course_id, title: course.title, className: 'Évening 🎧 مساء', dueAt };
      expect(await one.assignments()).toEqual([{ ...assigned, practices: course.practices.length, done: 0 }]);
      for (const practice of course.practices) await one.finish(practice);
      await one.finish(course.practices[0] ?? '');
      await two.finish(course.practices[0] ?? '');
      expect(await two.assignments()).toMatchObject([{ done: 1 }]);
      expect(await read(classId)).toMatchObject({
        courses: [{ courseId: course.course_id, finished: 1, dueAt }],
        members: 2,
      });
      const doneBy = new Map(
        (await members(classId)).rows.map(({ userId, doneByCourseId }) => [userId, doneByCourseId]),
      );
      expect(doneBy.get(one.userId)).toEqual({ [course.course_id]: course.practices.length });
      expect(doneBy.get(two.userId)).toEqual({ [course.course_id]: 1 });
    });

    it('lists its learners in pages, sorted, searched and by whether they have finished', async () => {
      const { db } = scene.server.database;
      const course = await aCourse();
      const [zoe, ana, ben] = [await aLearner(), await aLearner(), await aLearner()];
      for (const [{ userId }, first, last] of [
        [zoe, 'Zoë', 'Adler'],
        [ana, 'Ana', 'Zimmer'],
        [ben, null, null],
      ] as const)
        await db.execute(sql`update users set first_name = ${first}, last_name = ${last} where user_id = ${userId}`);
      const classId = await create('Autumn');
      const all = [zoe, ana, ben];
      await scene.ask('add-to-class', { classId, emails: all.map(({ email }) => email) });
      const ids = async (asked: object) => (await members(classId, asked)).rows.map(({ userId }) => userId);
      expect(await ids({ only: 'finished' })).toEqual([]);
      await scene.ask('assign-course', { classId, courseId: course.course_id, dueAt: null });
      for (const practice of course.practices) await ana.finish(practice);
      await ben.finish(course.practices[0] ?? '');

      expect(await ids({})).toEqual([zoe.userId, ana.userId, ben.userId]);
      expect(await ids({ sort: 'done', direction: 'desc' })).toEqual([ana.userId, ben.userId, zoe.userId]);
      expect(await ids({ sort: 'done', courseId: course.course_id })).toEqual([zoe.userId, ben.userId, ana.userId]);
      expect(await ids({ sort: 'email' })).toEqual(
        all.toSorted((a, b) => (a.email < b.email ? -1 : 1)).map(({ userId }) => userId),
      );
      expect(await ids({ only: 'finished' })).toEqual([ana.userId]);
      expect(await ids({ only: 'unfinished' })).toEqual([zoe.userId, ben.userId]);
      expect(await ids({ search: 'zoë ad' })).toEqual([zoe.userId]);
      expect(await ids({ search: 'AD  zoe' })).toEqual([zoe.userId]);
      expect(await ids({ search: '%' })).toEqual([]);
      expect(await members(classId, { page: 1, pageSize: 2 })).toMatchObject({
        total: 3,
        rows: [{ userId: ben.userId }],
      });
      expect(await members(classId, { page: 5, pageSize: 2 })).toEqual({ total: 3, rows: [] });
    });

    it('refuses a due date whose year is a typing error', async () => {
      const course = await aCourse();
      const classId = await create('Dawn');
      for (const dueAt of ['0202-12-24T22:59:59.000Z', '9999-12-31T22:59:59.000Z']) {
        const { status, body } = await scene.ask('assign-course', { classId, courseId: course.course_id, dueAt });
        expect([status, body['code']]).toEqual([400, 'request.invalid']);
      }
      expect(await read(classId)).toMatchObject({ courses: [] });
    });

    it('counts the practices and videos that its learners can open', async () => {
      const { db } = scene.server.database;
      const course = await aCourse();
      const learner = await aLearner();
      const classId = await create('Noon');
      await scene.ask('add-to-class', { classId, emails: [learner.email] });
      await scene.ask('assign-course', { classId, courseId: course.course_id, dueAt: null });
      const [first = '', ...others] = course.practices;
      const [withdrawn = '', later = ''] = others;
      await db.execute(sql`update practices set deleted_at = now() where practice_id = ${withdrawn}`);
      await db.execute(sql`update practices set availability = 'not_ready' where practice_id = ${later}`);
      const aVideo = async (availability: string) => {
        const videoId = randomUUID();
        await db.execute(sql`
          insert into videos (video_id, title, description, file_url, transcript, availability, created_at, updated_at,
            sync_version)
          values (${videoId}, 'Listen', '', 'media:x', '', ${availability}, now(), now(), 1)`);
        await db.execute(sql`
          insert into course_section_videos (course_section_video_id, course_section_id, video_id, position, created_at,
            updated_at, sync_version)
          values (${randomUUID()}, (select course_section_id from course_sections where course_id = ${course.course_id}
            limit 1), ${videoId}, 90, now(), now(), 1)`);
        return videoId;
      };
      const [videoId] = [await aVideo('ready'), await aVideo('not_ready')];
      const parts = course.practices.length - 2 + 1;
      expect(await learner.assignments()).toMatchObject([{ practices: parts, done: 0 }]);

      for (const practiceId of [first, withdrawn, later]) await learner.finish(practiceId);
      for (let times = 0; times < 2; times += 1)
        await db.execute(sql`
          insert into user_course_interaction (interaction_id, user_id, course_id, interaction_type, timestamp, details,
            created_at, updated_at, sync_version)
          values (${randomUUID()}, ${learner.userId}, ${course.course_id}, 'video', now(),
            ${JSON.stringify({ sessionId: null, practiceId: null, videoId, courseSectionId: null })}, now(), now(), 1)`);
      expect(await learner.assignments()).toMatchObject([{ practices: parts, done: 2 }]);
      const { courses } = await read(classId);
      expect(courses).toMatchObject([{ practices: parts, finished: 0 }]);
      expect((await members(classId)).rows).toMatchObject([{ doneByCourseId: { [course.course_id]: 2 } }]);
      const { body } = await scene.ask('numbers', { weeks: 4 });
      expect(body['courses']).toContainEqual(
        expect.objectContaining({ courseId: course.course_id, practices: course.practices.length - 2 }),
      );
      await db.execute(sql`
        update practices set deleted_at = null, availability = 'ready' where practice_id in (${withdrawn}, ${later})`);
      await db.execute(sql`update course_section_videos set deleted_at = now()`);
    });

    it('counts a practice without a score only when the learner answered', async () => {
      const { db } = scene.server.database;
      const course = await aCourse();
      const learner = await aLearner();
      const classId = await create('Evening');
      await scene.ask('add-to-class', { classId, emails: [learner.email] });
      await scene.ask('assign-course', { classId, courseId: course.course_id, dueAt: null });
      const sessionId = await learner.finish(course.practices[0] ?? '', null);
      const say = (role: 'coach' | 'learner') =>
        db.execute(sql`
          with interaction as (
            insert into user_course_interaction (interaction_id, user_id, interaction_type, timestamp, details,
              created_at, updated_at, sync_version)
            values (${randomUUID()}, ${learner.userId}, 'practice', now(), '{}', now(), now(), 1) returning interaction_id)
          insert into ai_conversations (conversation_id, session_id, user_id, interaction_id, content, role,
            created_at, updated_at, sync_version)
          select ${randomUUID()}, ${sessionId}, ${learner.userId}, interaction_id, 'Hello.', ${role}, now(), now(), 1
          from interaction`);
      const done = async () => {
        const { rows } = await members(classId);
        const detail = await scene.ask('learner', { userId: learner.userId });
        const { practice } = detail.body as { practice: { finished: number } };
        return [...rows.map(({ doneByCourseId }) => doneByCourseId[course.course_id] ?? 0), practice.finished];
      };
      await say('coach');
      expect(await learner.assignments()).toMatchObject([{ done: 0 }]);
      expect(await done()).toEqual([0, 0]);
      await say('learner');
      expect(await learner.assignments()).toMatchObject([{ done: 1 }]);
      expect(await done()).toEqual([1, 1]);
    });

    it('is gone from a learner’s list when it is archived, and back when it is restored', async () => {
      const course = await aCourse();
      const learner = await aLearner();
      const classId = await create('Morning');
      await scene.ask('add-to-class', { classId, emails: [learner.email] });
      await scene.ask('assign-course', { classId, courseId: course.course_id, dueAt: null });
      const names = async () => (await learner.assignments()).map(({ className }) => className);
      expect(await names()).toEqual(['Morning']);
      await scene.ask('change-class', { classId, isArchived: true });
      expect(await names()).toEqual([]);
      expect((await scene.ask('classes', { isArchived: true, search: 'morn' })).body['total']).toBe(1);
      await scene.ask('change-class', { classId, isArchived: false, name: 'Noon' });
      expect(await names()).toEqual(['Noon']);
      await scene.ask('withdraw-course', { classId, courseId: course.course_id });
      expect(await names()).toEqual([]);
      const { body: changes } = await scene.ask('audit', { search: scene.adminEmail, act: 'class_changed' });
      const unassigned = { before: { course: course.title }, after: { course: null } };
      expect(changes['rows']).toContainEqual(expect.objectContaining(unassigned));
      await scene.ask('remove-from-class', { classId, userId: learner.userId });
      expect(await members(classId)).toEqual({ total: 0, rows: [] });
      const { body } = await scene.ask('audit', { search: scene.adminEmail, act: 'class_archived' });
      expect(body).toMatchObject({ total: 1, rows: [{ subjectKind: 'class', subject: 'Noon' }] });
    });

    it('has in the audit log who joined, who was removed, and by whom', async () => {
      const [one, two] = [await aLearner(), await aLearner()];
      const classId = await create('Evening');
      await scene.ask('add-to-class', { classId, emails: [one.email, two.email] });
      await scene.ask('add-to-class', { classId, emails: [two.email] });
      await scene.ask('remove-from-class', { classId, userId: two.userId });
      await scene.ask('remove-from-class', { classId, userId: two.userId });
      const entriesAbout = async ({ email }: { email: string }) =>
        ((await scene.ask('audit', { search: email })).body['rows'] as Record<string, unknown>[]).toReversed();
      const entry = { actorId: scene.adminId, subjectKind: 'learner' };
      const joined = { ...entry, act: 'class_joined', details: { classId }, after: { class: 'Evening' } };
      const left = { ...entry, act: 'class_left', details: { classId }, before: { class: 'Evening' } };
      expect(await entriesAbout(one)).toMatchObject([{ ...joined, subject: one.email }]);
      expect(await entriesAbout(two)).toMatchObject([
        { ...joined, subject: two.email },
        { ...left, subject: two.email },
      ]);
    });

    it('records in one statement who joined', async () => {
      const { db } = scene.server.database;
      const learners = [await aLearner(), await aLearner(), await aLearner()];
      const classId = await create('Together');
      const statements = await countAuditStatements(db, () =>
        scene.ask('add-to-class', { classId, emails: learners.map(({ email }) => email) }),
      );
      expect(statements).toEqual({ statements: 1, entries: 3 });
    });

    it('shows a learner only their own classes', async () => {
      expect(await (await aLearner()).assignments()).toEqual([]);
    });

    it.each([
      ['assign-course', { courseId: randomUUID(), dueAt: null }],
      ['add-to-class', { emails: ['a@example.com'] }],
      ['change-class', { name: 'x' }],
      ['class', {}],
      ['class-members', {}],
    ])('that does not exist is refused by %s', async (call, body) => {
      expect(await scene.ask(call, { classId: randomUUID(), ...body })).toMatchObject({
        status: 400,
        body: { code: 'request.invalid', data: { field: 'classId' } },
      });
    });
  });
}
