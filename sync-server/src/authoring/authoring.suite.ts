import { randomUUID } from 'node:crypto';
import type { ContentView, PublishResult, SaveResult } from '@parley/contract';
import type { CourseDocument, PracticeDocument } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog, tables } from '../db/tables.ts';
import {
  aCoachDocument,
  aCourseDocument,
  aPracticeDocument,
  type ContentAdmin,
  openContentAdmin,
} from '../../test-kit/content/content-fixture.ts';
import { countAuditStatements } from '../../test-kit/count-audit-statements.ts';
import { listenForPokes } from '../../test-kit/sync/poke-listener.ts';
import {
  type PulledRow,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../test-kit/server.ts';

export function authoringSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let admin: ContentAdmin;
  let other: ContentAdmin;
  let learner: TestDevice;
  let agentId: string;
  beforeAll(async () => {
    server = await startServer(await open());
    admin = await openContentAdmin(server);
    other = await openContentAdmin(server);
    learner = await registerDevice(server);
    const coach = await admin.create('coach', aCoachDocument());
    agentId = coach.id;
    await admin.publish(coach);
  });
  afterAll(() => server.close());

  const ROOT_IDS = ['practiceId', 'courseId', 'agentId', 'id'];
  const ROOT_TABLES = ['practices', 'courses', 'ai_agent_profiles', 'blog_posts'];
  const rowOf = async (id: string): Promise<PulledRow['fields'] | undefined> =>
    (await learner.pull()).find(({ table, fields }) => fields[ROOT_IDS[ROOT_TABLES.indexOf(table)] ?? ''] === id)
      ?.fields;
  const published = (result: PublishResult): ContentView => {
    const [content] = result.status === 'published' ? result.contents : [];
    if (content === undefined) throw new Error(JSON.stringify(result));
    return content;
  };
  const saved = (result: SaveResult): ContentView => {
    if (result.status !== 'saved') throw new Error(JSON.stringify(result));
    return result.content;
  };
  const aPublishedPractice = async (changes: Partial<PracticeDocument> = {}): Promise<ContentView> =>
    published(await admin.publish(await admin.create('practice', aPracticeDocument(agentId, changes))));

  describe('a draft', () => {
    it('never leaves the server', async () => {
      const before = await learner.pull();
      const draft = await admin.create('practice', aPracticeDocument(agentId, { title: 'Only a draft' }));
      expect(draft).toMatchObject({ state: 'draft', revision: 1, published: null });
      expect(draft.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(await learner.pull()).toEqual(before);
    });

    it.each(['a\0b', '\ud800'])('is refused with text that no database can store (%j)', async (text) => {
      const draft = await admin.create('practice', aPracticeDocument(agentId));
      const changed = { ...(draft.document as PracticeDocument), scenario: text };
      await expect(admin.save(draft, changed)).rejects.toThrow(/save: 400 .*request\.invalid/);
      await expect(admin.create('practice', changed)).rejects.toThrow(/create: 400 .*request\.invalid/);
    });

    it('is saved although a change is cut in the middle of an emoji for the audit log', async () => {
      const draft = await admin.create('practice', aPracticeDocument(agentId));
      const scenario = `${'x'.repeat(199)}🎧 and more`;
      const changed = { ...(draft.document as PracticeDocument), scenario };
      expect(saved(await admin.save(draft, changed)).document).toMatchObject({ scenario });
      const [entry] = await server.database.db
        .select({ after: auditLog.after })
        .from(auditLog)
        .where(sql`${auditLog.subjectId} = ${draft.id} and ${auditLog.act} = 'content_saved'`);
      expect(entry?.after).toEqual({ scenario: `${'x'.repeat(199)}\ufffd` });
    });

    it('reaches devices only when it is published, and so do later edits', async () => {
      const practice = await aPublishedPractice({ title: 'First title' });
      expect(await rowOf(practice.id)).toMatchObject({ title: 'First title', availability: 'ready', deletedAt: null });
      const edited = saved(await admin.save(practice, { ...practice.document, title: 'Second title' }));
      expect(edited).toMatchObject({ state: 'published', hasChanges: true, published: { title: 'First title' } });
      expect(await rowOf(practice.id)).toMatchObject({ title: 'First title' });
      expect(published(await admin.publish(edited))).toMatchObject({ hasChanges: false });
      expect(await rowOf(practice.id)).toMatchObject({ title: 'Second title' });
    });

    it('with mistakes is saved but not published, and the mistakes have places', async () => {
      const document = aPracticeDocument(agentId, { title: '' });
      const draft = await admin.create('practice', document);
      expect(await admin.publish(draft)).toMatchObject({
        status: 'blocked',
        problems: [{ id: draft.id, findings: [{ path: ['title'], severity: 'error' }] }],
      });
      expect((await admin.read('practice', draft.id)).state).toBe('draft');
    });

    it('that is out of bounds is refused with its place', async () => {
      const document = { ...aPracticeDocument(agentId), title: 'x'.repeat(201) };
      expect(await admin.tryCall('create', { kind: 'practice', id: randomUUID(), document })).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
    });
  });

  describe('a withdrawn practice', () => {
    it('is a tombstone that keeps its title only, and returns when it is published again', async () => {
      const practice = await aPublishedPractice({ title: 'Withdrawn' });
      const withdrawn = saved(
        await admin.call('withdraw', { kind: 'practice', id: practice.id, revision: practice.revision }),
      );
      expect(withdrawn.state).toBe('withdrawn');
      expect(withdrawn.document).toEqual(practice.document);
      expect(await rowOf(practice.id)).toMatchObject({
        title: 'Withdrawn',
        scenario: '',
        dialogue: null,
        availability: 'not_visible',
        deletedAt: expect.any(String),
      });
      const restored = published(await admin.publish(withdrawn));
      expect(restored.document).toEqual(practice.document);
      expect(await rowOf(practice.id)).toMatchObject({ title: 'Withdrawn', availability: 'ready', deletedAt: null });
    });

    it('can be deleted, and be restored from there', async () => {
      const practice = await aPublishedPractice();
      const deleted = saved(
        await admin.call('delete', { kind: 'practice', id: practice.id, revision: practice.revision }),
      );
      expect(deleted.state).toBe('deleted');
      const list = await admin.call<{ rows: { id: string }[] }>('list', {
        kind: 'practice',
        search: '',
        pageSize: 500,
      });
      expect(list.rows.map(({ id }) => id)).not.toContain(practice.id);
      expect(saved(await admin.save(deleted, deleted.document))).toMatchObject({ state: 'withdrawn' });
    });
  });

  it('does not withdraw a coach whom a practice has', async () => {
    await aPublishedPractice({ title: 'With this coach' });
    const coach = await admin.read('coach', agentId);
    expect(await admin.call('withdraw', { kind: 'coach', id: coach.id, revision: coach.revision })).toMatchObject({
      status: 'blocked',
      problems: [{ id: agentId }],
    });
  });

  it('repeats a coach’s new name in the coach’s practices', async () => {
    const coach = published(await admin.publish(await admin.create('coach', aCoachDocument('Old name'))));
    const practice = published(await admin.publish(await admin.create('practice', aPracticeDocument(coach.id))));
    await admin.publish(saved(await admin.save(coach, { ...coach.document, name: 'New name' })));
    expect(await rowOf(practice.id)).toMatchObject({ practiceId: practice.id, agentName: 'New name' });
  });

  describe('a course', () => {
    const sectionsOf = async (courseId: string) =>
      (await learner.pull())
        .filter(({ table, fields }) => table === 'course_sections' && fields['courseId'] === courseId)
        .map(({ fields }) => fields);
    const section = (title: string, items: CourseDocument['sections'][number]['items'] = []) => ({
      sectionId: randomUUID(),
      title,
      description: '',
      items,
    });

    it('is not published before its practices, but together with them', async () => {
      const practice = await admin.create('practice', aPracticeDocument(agentId));
      const course = await admin.create('course', aCourseDocument([{ kind: 'practice', itemId: practice.id }]));
      expect(await admin.publish(course)).toMatchObject({
        status: 'blocked',
        problems: [{ findings: [{ path: ['sections', 0, 'items', 0] }] }],
      });
      expect(await rowOf(course.id)).toBeUndefined();
      expect(await admin.publish(course, practice)).toMatchObject({ status: 'published' });
      expect(await rowOf(course.id)).toMatchObject({ title: 'Life in the office' });
    });

    it('is published with its practices in one statement of the audit log', async () => {
      const practice = await admin.create('practice', aPracticeDocument(agentId));
      const course = await admin.create('course', aCourseDocument([{ kind: 'practice', itemId: practice.id }]));
      const publishBoth = () => admin.publish(course, practice);
      expect(await countAuditStatements(server.database.db, publishBoth)).toEqual({ statements: 1, entries: 2 });
    });

    it('keeps the ids of its sections and items in any order', async () => {
      const practice = await aPublishedPractice();
      const sections = [
        section('A', [{ kind: 'practice', itemId: practice.id }]),
        section('B'),
        section('C'),
        section('D'),
      ];
      let course = published(await admin.publish(await admin.create('course', aCourseDocument([], { sections }))));
      const placed = async () =>
        (await learner.pull()).filter(
          ({ table, fields }) =>
            table === 'course_section_practices' &&
            fields['practiceId'] === practice.id &&
            fields['deletedAt'] === null,
        );
      const [placement] = await placed();
      for (const order of ['DCBA', 'BADC', 'CD', 'ABCD', 'DA', 'ADBC']) {
        const next = [...order].flatMap((title) => sections.filter((each) => each.title === title));
        const document = { ...(course.document as CourseDocument), sections: next };
        course = published(await admin.publish(saved(await admin.save(course, document))));
        const live = (await sectionsOf(course.id)).filter(({ deletedAt }) => deletedAt === null);
        expect(
          live
            .toSorted((a, b) => Number(a['order']) - Number(b['order']))
            .map(({ title }) => title)
            .join(''),
        ).toBe(order);
        expect(live.map(({ order: at }) => Number(at)).toSorted((a, b) => a - b)).toEqual(
          next.map((_, index) => index + 1),
        );
        for (const each of live) expect(next.map(({ sectionId }) => sectionId)).toContain(each['courseSectionId']);
      }
      // The item moves to another section, and keeps its row.
      const moved = sections.map((each) => ({
        ...each,
        items: each.title === 'C' ? [{ kind: 'practice', itemId: practice.id }] : [],
      }));
      await admin.publish(saved(await admin.save(course, { ...course.document, sections: moved })));
      expect(await placed()).toMatchObject([
        {
          fields: {
            courseSectionPracticeId: placement?.fields['courseSectionPracticeId'],
            courseSectionId: sections[2]?.sectionId,
          },
        },
      ]);
    });

    it('cannot take a section from another course', async () => {
      const own = section('Mine');
      await admin.publish(await admin.create('course', aCourseDocument([], { sections: [own] })));
      const thief = await admin.create('course', aCourseDocument([], { sections: [own] }));
      expect(await admin.publish(thief)).toMatchObject({
        status: 'blocked',
        problems: [{ findings: [{ path: ['sections', 0] }] }],
      });
    });
  });

  describe('two admins', () => {
    it('see each other’s changes, and both edits merged', async () => {
      const practice = await aPublishedPractice({ title: 'Shared', role: 'Old role' });
      const document = practice.document as PracticeDocument;
      const [opening, ...steps] = document.script?.nodes ?? [];
      if (opening === undefined || document.script === null) throw new Error('no step');
      const theirs = { ...document, title: 'Their title', role: 'Their role' };
      saved(await other.save(practice, theirs));
      const mine = {
        ...document,
        role: 'My role',
        script: { ...document.script, nodes: [{ ...opening, say: { ...opening.say, easy: 'Yes?' } }, ...steps] },
      };
      const result = await admin.save(practice, mine);
      if (result.status !== 'conflict') throw new Error(JSON.stringify(result));
      expect(result.merged).toMatchObject({
        title: 'Their title',
        role: 'My role',
        script: { nodes: [{ say: { easy: 'Yes?' } }, {}, {}] },
      });
      expect(result.conflicts).toEqual([{ path: ['role'], mine: 'My role', theirs: 'Their role' }]);
      expect(result.theirChanges.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([['role'], ['title']]);
      expect(result.current).toMatchObject({ editedBy: 'Ines Duarte', document: { title: 'Their title' } });
      expect(saved(await admin.save(result.current, result.merged)).document).toMatchObject({
        title: 'Their title',
        role: 'My role',
      });
    });

    it('who save at the same moment do not overwrite each other', async () => {
      const practice = await aPublishedPractice();
      const results = await Promise.all(
        ['One', 'Two', 'Three'].map((title) => admin.save(practice, { ...practice.document, title })),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual(['conflict', 'conflict', 'saved']);
    });

    it('do not publish a revision that they have not seen', async () => {
      const practice = await aPublishedPractice();
      saved(await other.save(practice, { ...practice.document, title: 'Not seen' }));
      expect(await admin.publish(practice)).toMatchObject({
        status: 'outdated',
        current: { document: { title: 'Not seen' } },
      });
    });
  });

  it('pokes open apps, which have a published edit within five seconds', async () => {
    const practice = await aPublishedPractice({ title: 'Before the poke' });
    const cursor = Math.max(...(await learner.pull()).map(({ fields }) => Number(fields['syncVersion'])));
    const listener = await listenForPokes(await server.listen(), learner);
    await admin.publish(saved(await admin.save(practice, { ...practice.document, title: 'After the poke' })));
    await listener.waitForVersions({ catalogue: cursor + 1 }, 5_000);
    expect(await learner.pull({ catalogue: cursor })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ table: 'practices', fields: expect.objectContaining({ title: 'After the poke' }) }),
      ]),
    );
    listener.disconnect();
  });

  it('goes back to an earlier version, and to what is published', async () => {
    const practice = await aPublishedPractice({ title: 'Version 1' });
    const second = saved(await admin.save(practice, { ...practice.document, title: 'Version 2' }));
    const third = saved(await admin.save(second, { ...second.document, title: 'Version 3' }));
    const { versions } = await admin.call<{ versions: { revision: number; act: string }[] }>('versions', {
      kind: 'practice',
      id: practice.id,
    });
    expect(versions[0]).toMatchObject({ revision: third.revision, by: 'Ines Duarte', changes: [['title']] });
    const back = saved(
      await admin.call('revert', { kind: 'practice', id: third.id, revision: third.revision, to: second.revision }),
    );
    expect(back.document).toMatchObject({ title: 'Version 2' });
    const published1 = saved(
      await admin.call('revert', { kind: 'practice', id: back.id, revision: back.revision, to: 'published' }),
    );
    expect(published1).toMatchObject({ hasChanges: false, document: { title: 'Version 1' } });
  });

  it('writes every change into the audit log, with before and after', async () => {
    const practice = await aPublishedPractice({ title: 'Audited' });
    saved(await admin.save(practice, { ...practice.document, title: 'Audited again' }));
    const entries = await server.database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, practice.id))
      .orderBy(sql`(${auditLog.details} ->> 'revision')::int`);
    expect(entries.map(({ act }) => act)).toEqual(['content_created', 'content_published', 'content_saved']);
    expect(entries.at(-1)).toMatchObject({
      actorId: admin.device.userId,
      subject: 'content',
      before: { title: 'Audited' },
      after: { title: 'Audited again' },
    });
  });

  it('lists by state, title and date', async () => {
    const title = `Listed ${randomUUID()}`;
    const practice = await aPublishedPractice({ title });
    const find = (only?: string) =>
      admin.call<{ total: number; rows: ContentView[] }>('list', {
        kind: 'practice',
        search: title.slice(0, 20),
        ...(only && { only }),
      });
    expect(await find()).toMatchObject({
      total: 1,
      rows: [{ id: practice.id, state: 'published', editedBy: 'Ines Duarte' }],
    });
    expect((await find('changed')).total).toBe(0);
    saved(await admin.save(practice, { ...practice.document, role: 'Changed' }));
    expect((await find('changed')).total).toBe(1);
    expect(await server.database.db.$count(tables.practices)).toBeGreaterThan(0);
  });

  it('says of a practice, listed and opened, whether it is only announced, as a draft and once it is published', async () => {
    const title = `Announced ${randomUUID()}`;
    const list = async () => {
      const { rows } = await admin.call<{ rows: ContentView[] }>('list', { kind: 'practice', search: title });
      return rows.map(({ isComingSoon }) => isComingSoon);
    };
    const practice = await aPublishedPractice({ title });
    expect([practice.isComingSoon, ...(await list())]).toEqual([false, false]);
    const draft = saved(await admin.save(practice, { ...practice.document, availability: 'not_ready' }));
    expect([draft.isComingSoon, ...(await list())]).toEqual([true, true]);
    const announced = published(await admin.publish(draft));
    expect([announced.isComingSoon, ...(await list())]).toEqual([true, true]);
    expect(await rowOf(practice.id)).toMatchObject({ availability: 'not_ready' });
  });
}
