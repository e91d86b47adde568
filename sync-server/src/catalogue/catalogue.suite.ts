import { randomUUID } from 'node:crypto';
import { loadStarterCatalogue } from '@parley/catalogue';
import { entities, PracticeId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';
import { installStarterCatalogue } from './index.ts';

export function catalogueSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let device: TestDevice;
  beforeAll(async () => {
    server = await startServer(await open());
    await bringIn();
    device = await registerDevice(server);
  });
  afterAll(() => server.close());

  const bringIn = () => installStarterCatalogue({ db: server.database.db, now: server.now });
  const practices = async () => (await device.pull()).filter(({ table }) => table === 'practices');

  describe('the starter catalogue', () => {
    it('is complete after the first start', async () => {
      const rows = await device.pull();
      // The tags of posts stay on the server.
      const { postTags: _, ...sent } = loadStarterCatalogue();
      for (const [key, expected] of Object.entries(sent)) {
        const { name } = entities[key as keyof typeof entities];
        expect(rows.filter(({ table }) => table === name)).toHaveLength(expected.length);
      }
      expect(await practices()).toHaveLength(loadStarterCatalogue().practices.length);
    });

    it('is not installed twice, and a second start changes no version', async () => {
      const before = await device.pull();
      expect(await bringIn()).toBe(0);
      expect(await device.pull()).toEqual(before);
    });

    it('leaves a row that was edited in the database as it is', async () => {
      const [first] = await practices();
      const practiceId = PracticeId.parse(first?.fields['practiceId']);
      const edit = { title: 'Our own title' };
      await server.database.db.update(tables.practices).set(edit).where(eq(tables.practices.practiceId, practiceId));
      expect(await bringIn()).toBe(0);
      expect((await practices()).find(({ fields }) => fields['practiceId'] === practiceId)?.fields).toMatchObject(edit);
    });

    it('sends only the changed document, and withdraws one that is gone', async () => {
      const starter = loadStarterCatalogue();
      const [gone, changed] = starter.practices.slice(-2);
      const [industry] = starter.industry;
      if (gone === undefined || changed === undefined || industry === undefined) throw new Error('no content');
      const cursor = Math.max(...(await device.pull()).map(({ fields }) => Number(fields['syncVersion'])));
      const newer = {
        ...starter,
        practices: starter.practices
          .filter((row) => row !== gone)
          .map((row) => (row === changed ? { ...row, title: 'Newer' } : row)),
        practiceObjectives: starter.practiceObjectives.filter((row) => row.practiceId !== gone.practiceId),
        courseSectionPractices: starter.courseSectionPractices.filter((row) => row.practiceId !== gone.practiceId),
      };
      await installStarterCatalogue({ db: server.database.db, now: server.now }, newer);
      const sent = (await device.pull({ catalogue: cursor })).filter(({ table }) => table === 'practices');
      expect(sent).toHaveLength(2);
      expect(sent).toMatchObject(
        expect.arrayContaining(
          [
            { table: 'practices', fields: { practiceId: changed.practiceId, title: 'Newer', deletedAt: null } },
            {
              table: 'practices',
              fields: {
                practiceId: gone.practiceId,
                title: gone.title,
                dialogue: null,
                deletedAt: server.now().toISOString(),
              },
            },
          ].map((row) => expect.objectContaining({ ...row, fields: expect.objectContaining(row.fields) })),
        ),
      );
    });

    it('never sends rows that are not visible, or posts that are not published', async () => {
      const { db } = server.database;
      const [row] = await db.select().from(tables.practices).limit(1);
      if (row === undefined) throw new Error('no practice');
      const hidden = randomUUID();
      const stamp = { createdAt: server.now(), updatedAt: server.now(), syncVersion: row.syncVersion };
      await db.insert(tables.videos).values({
        videoId: hidden,
        title: 'Zebrafish',
        description: '',
        fileUrl: '',
        transcript: '',
        availability: 'not_visible',
        ...stamp,
      });
      await db
        .insert(tables.blogPosts)
        .values({ id: randomUUID(), title: 'Zebrafish', slug: 'zebrafish', content: '', excerpt: '', ...stamp });
      expect(JSON.stringify(await device.pull())).not.toContain('Zebrafish');
    });
  });
}
