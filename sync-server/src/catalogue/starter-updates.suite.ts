import { randomUUID } from 'node:crypto';
import { loadStarterCatalogue, type StarterCatalogue } from '@parley/catalogue';
import type { ContentView, SaveResult } from '@parley/contract';
import { type ContentKind, type PracticeDocument, titleOf } from '@parley/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthoring, createContentChanges } from '../authoring/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';
import { installStarterCatalogue } from './index.ts';

/** `npm run prove -- school` runs more histories. */
const RUNS = Number(process.env['PARLEY_STARTER_HISTORIES'] ?? 8);

/** A small starter catalogue: a coach, two practices, a course with two sections. Every run has its own ids. */
function aStarter(): StarterCatalogue {
  const whole = loadStarterCatalogue();
  const [course] = whole.courses;
  const sections = whole.courseSections.filter(({ courseId }) => courseId === course?.courseId);
  const placed = whole.courseSectionPractices.filter((row) =>
    sections.some(({ courseSectionId }) => courseSectionId === row.courseSectionId),
  );
  const practices = whole.practices
    .filter(({ practiceId }) => placed.some((row) => row.practiceId === practiceId))
    .map((row) => ({ ...row, dialogue: null }));
  const practiceObjectives = whole.practiceObjectives.filter((row) =>
    practices.some(({ practiceId }) => practiceId === row.practiceId),
  );
  const part: StarterCatalogue = {
    industry: whole.industry.slice(0, 1),
    aiAgentProfiles: whole.aiAgentProfiles.filter(({ agentId }) => practices.some((row) => row.agentId === agentId)),
    courses: course === undefined ? [] : [course],
    courseSections: sections,
    practices,
    objectives: whole.objectives.filter((row) =>
      practiceObjectives.some(({ objectiveId }) => objectiveId === row.objectiveId),
    ),
    practiceObjectives,
    courseSectionPractices: placed,
    blogPosts: [],
    postTags: {},
  };
  const ids = new Map<string, string>();
  const fresh = (id: string): string => ids.get(id) ?? (ids.set(id, randomUUID()).get(id) as string);
  const renewed = JSON.stringify(part, (_, value: unknown) =>
    typeof value === 'string' && /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(value) ? fresh(value) : value,
  );
  return JSON.parse(renewed, (name, value: unknown) =>
    ['createdAt', 'updatedAt', 'updated'].includes(name) ? new Date(String(value)) : value,
  ) as StarterCatalogue;
}

type Action =
  | { type: 'edit' | 'publish' | 'withdraw' | 'delete' | 'revert' | 'accept' | 'decline'; target: number }
  | { type: 'update' | 'drop'; target: number };

const action: fc.Arbitrary<Action> = fc.record({
  type: fc.constantFrom(
    'edit',
    'publish',
    'withdraw',
    'delete',
    'revert',
    'accept',
    'decline',
    'update',
    'update',
    'drop',
  ),
  target: fc.nat({ max: 20 }),
});

export function starterUpdatesSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await open());
  });
  afterAll(() => server.close());

  describe('updates of the starter beside the edits of a school', () => {
    it(
      'never lose an edit, and reach untouched content',
      { tags: ['slow'], timeout: 240_000 + RUNS * 5_000 },
      async () => {
        let count = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
            // Each run has its own admin, because one account may send 1,200 requests per minute.
            const admin: ContentAdmin = await openContentAdmin(server);
            let starter = aStarter();
            const install = () => installStarterCatalogue({ db: server.database.db, now: server.now }, starter);
            await install();
            const roots: { kind: ContentKind; id: string }[] = [
              ...starter.aiAgentProfiles.map(({ agentId }) => ({ kind: 'coach' as const, id: agentId })),
              ...starter.practices.map(({ practiceId }) => ({ kind: 'practice' as const, id: practiceId })),
              ...starter.courses.map(({ courseId }) => ({ kind: 'course' as const, id: courseId })),
            ];
            const readAll = async (): Promise<Map<string, ContentView>> => {
              const views = await Promise.all(roots.map(({ kind, id }) => admin.read(kind, id)));
              return new Map(views.map((view) => [view.id, view]));
            };
            /** Documents that the school has changed. */
            const touched = new Set<string>();
            /** The title that the starter gave last, by id; absent once the starter has dropped it. */
            const titles = new Map([...(await readAll()).values()].map((view) => [view.id, titleOf(view)]));

            /** The title that the starter gave to what is installed. */
            const given = new Map(titles);

            for (const { type, target } of actions) {
              count += 1;
              const root = roots[target % roots.length];
              if (root === undefined) continue;
              const view = await admin.read(root.kind, root.id);
              const reference = { ...root, revision: view.revision };
              const rename = { [root.kind === 'coach' ? 'name' : 'title']: `School ${count}` };
              if (type === 'update' || type === 'drop') {
                const before = await readAll();
                const title = `Starter ${count}`;
                const isDropped = type === 'drop' && root.kind === 'course';
                starter = {
                  ...starter,
                  aiAgentProfiles: starter.aiAgentProfiles.map((row) =>
                    row.agentId === root.id ? { ...row, name: title } : row,
                  ),
                  practices: starter.practices.map((row) => (row.practiceId === root.id ? { ...row, title } : row)),
                  courses: starter.courses
                    .filter((row) => !isDropped || row.courseId !== root.id)
                    .map((row) => (row.courseId === root.id ? { ...row, title } : row)),
                  courseSections: starter.courseSections.filter((row) => !isDropped || row.courseId !== root.id),
                  courseSectionPractices: isDropped ? [] : starter.courseSectionPractices,
                };
                if (isDropped) titles.delete(root.id);
                else if (titles.has(root.id)) titles.set(root.id, title);
                await install();
                const after = await readAll();
                for (const [id, one] of after) {
                  const previous = before.get(id);
                  if (touched.has(id)) {
                    expect(one.document).toEqual(previous?.document);
                    expect([one.state, one.revision]).toEqual([previous?.state, previous?.revision]);
                  } else if (titles.has(id)) {
                    expect(titleOf(one)).toBe(titles.get(id));
                    given.set(id, titleOf(one));
                  } else expect(one.state).toBe('deleted');
                }
                continue;
              }
              await act(type);
              // Content that equals the starter's version, or equals it again, is not the school's own.
              const now = await admin.read(root.kind, root.id);
              const isOwn = now.state !== 'published' || now.hasChanges || titleOf(now) !== given.get(root.id);
              if (isOwn) touched.add(root.id);
              else touched.delete(root.id);

              async function act(name: Exclude<Action['type'], 'update' | 'drop'>): Promise<SaveResult | null> {
                switch (name) {
                  case 'edit':
                    return admin.save(reference, { ...view.document, ...rename });
                  case 'publish':
                    await admin.publish(reference);
                    return null;
                  case 'withdraw':
                  case 'delete':
                    return admin.call(name, reference);
                  case 'revert':
                    return view.published === null ? null : admin.call('revert', { ...reference, to: 'published' });
                  case 'accept':
                  case 'decline':
                    return view.hasStarterUpdate
                      ? admin.call('starter-update', { ...reference, accept: name === 'accept' })
                      : null;
                  default:
                    return name satisfies never;
                }
              }
            }
          }),
          { numRuns: RUNS },
        );
      },
    );

    it('are offered for edited content, and merged with the school’s edits', async () => {
      const admin = await openContentAdmin(server);
      const starter = aStarter();
      const { db } = server.database;
      await installStarterCatalogue({ db, now: server.now }, starter);
      const [practice] = starter.practices;
      if (practice === undefined) throw new Error('no practice');
      const view = await admin.read('practice', practice.practiceId);
      await admin.save(view, { ...view.document, title: 'Our title' });
      const document = { ...(view.document as PracticeDocument), title: 'Newer title', role: 'Newer role' };
      const newest = { hash: 'newer', document };
      const parts = { db, now: server.now, onCatalogueChanged: () => undefined };
      const authoring = createAuthoring({
        ...parts,
        changes: createContentChanges({ ...parts, starterOf: () => newest }),
      });
      const edited = await authoring.read({ kind: 'practice', id: practice.practiceId });
      expect(edited).toMatchObject({
        hasStarterUpdate: true,
        document: { title: 'Our title', role: practice.learnerRole },
      });
      const { kind, id, revision } = edited;
      expect(await authoring.starterUpdate(admin.device.userId, { kind, id, revision, accept: true })).toMatchObject({
        status: 'saved',
        content: { hasStarterUpdate: false, document: { title: 'Our title', role: 'Newer role' } },
      });
    });
  });
}
