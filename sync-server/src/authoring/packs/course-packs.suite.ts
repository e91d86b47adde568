import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { loadPack, readPack, zipPack } from '@parley/catalogue/pack';
import type { AnyContent } from '@parley/domain';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import {
  aCoachDocument,
  aCourseDocument,
  aPracticeDocument,
  type ContentAdmin,
  openContentAdmin,
} from '../../../test-kit/content/content-fixture.ts';
import { aPng, toAddress } from '../../../test-kit/media/a-png.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';

const PNG = aPng(60, 40);

/** `open` gives each server its own database. */
export function coursePacksSuite(open: () => Promise<DatabaseConnection>): void {
  let from: TestServer;
  let sender: ContentAdmin;
  /** Empty at the beginning of each test. */
  let to: TestServer;
  let receiver: ContentAdmin;
  let learner: TestDevice;
  let pictureUrl = '';
  const ids = {
    coach: randomUUID(),
    practice: randomUUID(),
    course: randomUUID(),
    video: randomUUID(),
    post: randomUUID(),
  };
  beforeAll(async () => {
    from = await startServer(await open());
    sender = await openContentAdmin(from);
    await sender.create('coach', aCoachDocument(), ids.coach);
    await sender.create('practice', aPracticeDocument(ids.coach), ids.practice);
    const video = {
      title: 'Tour',
      description: 'x',
      fileUrl: 'https://example.org/a.mp4',
      transcript: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi',
      availability: 'ready',
    };
    await sender.create('video', video, ids.video);
    const items = [
      { kind: 'video' as const, itemId: ids.video },
      { kind: 'practice' as const, itemId: ids.practice },
    ];
    await sender.create('course', aCourseDocument(items), ids.course);
    const { body: picture } = await from.post(
      '/v1/admin/media/add-picture',
      { fileName: 'office.png', picture: toAddress(PNG) },
      sender.device.token,
    );
    pictureUrl = `/media/${String(picture['id'])}`;
    const post = {
      title: 'Ünsere: News',
      slug: 'news',
      content: `# Hi\n\n---\n\n![The office](${pictureUrl})`,
      excerpt: 'a: b',
      cover: '',
      publishAt: null,
    };
    await sender.create('post', post, ids.post);
  });
  afterAll(() => from.close());
  beforeEach(async () => {
    to = await startServer(await open());
    receiver = await openContentAdmin(to);
    learner = await registerDevice(to);
  });
  afterEach(() => to.close());

  const contentsOf = async (pack: Uint8Array): Promise<AnyContent[]> => {
    const loaded = await loadPack({ bytes: pack });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const { contents, problems } = readPack(loaded.files, loaded.media);
    expect(problems).toEqual([]);
    return contents.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };

  describe('a course pack', () => {
    it('is named after the one document that was exported', async () => {
      const nameOf = async (query: string) =>
        (
          await from.app.inject({
            method: 'GET',
            url: `/v1/admin/packs/export${query}`,
            headers: { authorization: `Bearer ${sender.device.token}` },
          })
        ).headers['content-disposition'];
      expect(await nameOf(`?kind=post&id=${ids.post}`)).toBe('attachment; filename="unsere-news.parleypack"');
      expect(await nameOf('')).toBe('attachment; filename="courses.parleypack"');
    });

    it('changes nothing before it is imported', async () => {
      const pack = await sender.exportPack(`?kind=course&id=${ids.course}`);
      const { contents, problems } = await receiver.previewPack(pack);
      expect(problems).toEqual([]);
      expect(
        contents.map(({ kind, change }) => [kind, change]).toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)),
      ).toEqual([
        ['coach', 'new'],
        ['course', 'new'],
        ['practice', 'new'],
        ['video', 'new'],
      ]);
      expect((await receiver.tryCall('read', { kind: 'course', id: ids.course })).status).toBe(400);
    });

    it('goes to another server and back unchanged', async () => {
      const pack = await sender.exportPack();
      expect(await receiver.importPack(pack, { publish: true })).toEqual({
        status: 'imported',
        changed: 5,
        published: 5,
      });
      expect((await learner.pull()).map(({ table }) => table)).toEqual(
        expect.arrayContaining(['courses', 'course_sections', 'practices', 'videos', 'blog_posts']),
      );
      const back = await receiver.exportPack();
      const byPublishing = (contents: AnyContent[]) =>
        contents.map((content) =>
          content.kind === 'post' ? { ...content, document: { ...content.document, publishAt: null } } : content,
        );
      expect(byPublishing(await contentsOf(back))).toEqual(await contentsOf(pack));
      expect(
        (await sender.previewPack(back)).contents.filter(({ kind, change }) => kind !== 'post' && change !== 'same'),
      ).toEqual([]);
      expect(await receiver.importPack(back, { publish: true })).toMatchObject({ changed: 0, published: 0 });
    });

    it('is not imported over changes made after the preview', async () => {
      const pack = await sender.exportPack(`?kind=course&id=${ids.course}`);
      await receiver.importPack(pack, { publish: true });
      const { seen } = await receiver.previewPack(pack);
      const here = await receiver.read('course', ids.course);
      await receiver.save(here, { ...here.document, title: 'Changed meanwhile' });
      expect(await receiver.importPack(pack, { publish: false, seen })).toEqual({ status: 'outdated' });
      expect((await receiver.read('course', ids.course)).document).toMatchObject({ title: 'Changed meanwhile' });
      const again = await receiver.previewPack(pack);
      expect(await receiver.importPack(pack, { publish: true, seen: again.seen })).toMatchObject({ changed: 1 });
    });

    it('brings the pictures in its posts, as files that people can name', async () => {
      const pack = await sender.exportPack();
      const loaded = await loadPack({ bytes: pack });
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
      const [file = ''] = [...loaded.files.keys()].filter((name) => name.startsWith('pictures/'));
      expect(new TextDecoder().decode(loaded.files.get('posts/news.md'))).toContain(`![The office](${file})`);
      await receiver.importPack(pack, { publish: true });
      const served = await to.app.inject({ url: pictureUrl });
      expect(served.rawPayload.equals(PNG)).toBe(true);
    });

    it.each([
      ['is missing', null, { file: 'posts/tour.md', code: 'file.missing' }],
      ['is none', new TextEncoder().encode('<svg/>'), { file: 'pictures/door.png', code: 'picture.none' }],
      ['is damaged', PNG.subarray(0, 18), { file: 'pictures/door.png', code: 'file.damaged' }],
      ['is too large', aPng(5, 5, 600_000), { file: 'pictures/door.png', code: 'picture.too_large' }],
    ])('is refused when a picture %s', async (_what, picture, problem) => {
      const post = '---\ntitle: Tour\nexcerpt: A tour.\n---\n\n![The door](pictures/door.png)\n';
      const files = new Map<string, Uint8Array>([['posts/tour.md', new TextEncoder().encode(post)]]);
      if (picture !== null) files.set('pictures/door.png', picture);
      const imported = await receiver.importPack(await buffer(zipPack(files)), { publish: true });
      expect(imported).toMatchObject({ status: 'refused', problems: [problem] });
    });

    it('is imported completely or not at all', async () => {
      const industries = 'good: A new industry\n';
      const course = `id: ${randomUUID()}\ntitle: Broken\ndescription: D\nstatus: available\nsections:\n  - title: S\n    description: D\n    practices: [${randomUUID()}]\n`;
      const files = new Map(Object.entries({ 'industries.yaml': industries, 'courses/broken.yaml': course }));
      const encoded = new Map([...files].map(([file, text]) => [file, new TextEncoder().encode(text)]));
      const pack = await buffer(zipPack(encoded));
      expect(await receiver.importPack(pack, { publish: true })).toMatchObject({
        status: 'refused',
        problems: [{ file: 'courses/broken.yaml' }],
      });
      const { total } = await receiver.call<{ total: number }>('list', { kind: 'industry' });
      expect(total).toBe(0);
    });

    it('that is damaged is refused with a reason', async () => {
      expect((await receiver.previewPack(new TextEncoder().encode('no zip'))).problems).toHaveLength(1);
    });

    it('cannot be read or written by a learner', async () => {
      for (const [method, url] of [
        ['POST', '/v1/admin/packs/preview'],
        ['POST', '/v1/admin/packs/import'],
        ['GET', '/v1/admin/packs/export'],
      ] as const)
        for (const headers of [{}, { authorization: `Bearer ${learner.token}` }]) {
          const answer = await to.app.inject({
            method,
            url,
            headers: { ...headers, 'content-type': 'application/zip' },
            ...(method === 'POST' && { payload: Buffer.from('x') }),
          });
          expect([401, 403]).toContain(answer.statusCode);
        }
    });
  });
}
