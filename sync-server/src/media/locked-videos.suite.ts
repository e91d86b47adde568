/** Videos in a section of a course that opens with a plan. */
import { randomUUID } from 'node:crypto';
import { MEDIA_PATH } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { MP4, uploadFile, uploadIdOf } from '../../test-kit/media/media-fixture.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';

export function lockedVideosSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let learner: TestDevice;
  let id = '';
  const [course, first, second, product] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const sellPlans = (isSold: boolean) =>
    server.database.db.execute(sql`update products set active = ${isSold} where id = ${product}`);
  const openSection = (device: TestDevice, courseSectionId: string) =>
    device.push(
      device.change({
        table: 'user_course_interaction',
        rowId: randomUUID(),
        fields: {
          userId: device.userId,
          courseId: course,
          interactionType: 'section_opened',
          timestamp: server.now().toISOString(),
          details: { sessionId: null, practiceId: null, videoId: null, courseSectionId },
        },
      }),
    );
  const get = ({ token }: TestDevice) =>
    server.app.inject({ url: `${MEDIA_PATH}/${id}`, headers: { authorization: `Bearer ${token}` } });
  const statusFor = async (device: TestDevice) => (await get(device)).statusCode;

  beforeAll(async () => {
    server = await startServer(await open());
    const admin = await openContentAdmin(server);
    learner = await registerDevice(server);
    const headers = { authorization: `Bearer ${admin.device.token}` };
    id = uploadIdOf(await uploadFile({ address: await server.listen(), headers, content: MP4, chunkSize: 1_000_000 }));
    await server.post('/v1/admin/media/finish', { id }, admin.device.token);
    const video = await admin.create('video', {
      title: 'A tour of the office',
      description: 'Where everything is.',
      fileUrl: `${MEDIA_PATH}/${id}`,
      transcript: '',
      availability: 'ready',
    });
    expect(await admin.publish(video)).toMatchObject({ status: 'published' });
    const { db } = server.database;
    await db.execute(sql`
      insert into courses (course_id, title, description, status, created_at, updated_at, sync_version)
      values (${course}, 'Clients', '', 'available', now(), now(), 1)`);
    await db.execute(sql`
      insert into course_sections (course_section_id, title, descriptions, "order", course_id, created_at, updated_at, sync_version)
      values (${first}, 'One', '', 1, ${course}, now(), now(), 1), (${second}, 'Two', '', 2, ${course}, now(), now(), 1)`);
    await db.execute(sql`
      insert into course_section_videos (course_section_video_id, course_section_id, video_id, position, created_at, updated_at, sync_version)
      values (${randomUUID()}, ${second}, ${video.id}, 1, now(), now(), 1)`);
    await db.execute(sql`
      insert into products (id, product_id, active, name, is_test, created_at, updated_at, sync_version)
      values (${product}, 'prod', false, 'Plus', true, now(), now(), 1)`);
    await db.execute(sql`
      insert into prices (id, price_id, product_id, unit_amount, currency, pricing_type, type, is_test, created_at, updated_at, sync_version)
      values (${randomUUID()}, 'price', ${product}, 900, 'eur', 'recurring', 'PLUS', true, now(), now(), 1)`);
  });

  afterAll(() => server.close());
  beforeEach(() => sellPlans(true));

  it('is served where no plans are sold, and then to learners who began the section', async () => {
    const early = await registerDevice(server);
    await sellPlans(false);
    expect(await statusFor(early)).toBe(200);
    expect(await openSection(early, second)).toMatchObject({ outcomes: [{ status: 'applied' }] });
    await sellPlans(true);
    const refused = await get(learner);
    expect([refused.statusCode, refused.json()]).toEqual([402, expect.objectContaining({ code: 'course.locked' })]);
    expect(await statusFor(early)).toBe(200);
  });

  it('stays refused when a device only says that the section was opened', async () => {
    const cheat = await registerDevice(server);
    for (const section of [second, second.toUpperCase(), first])
      expect(await openSection(cheat, section)).toMatchObject({ outcomes: [{ id: expect.any(String) }] });
    expect(await statusFor(cheat)).toBe(402);
  });

  it('stays open when the plan under which the section was begun ends', async () => {
    const [began, waited] = [await registerDevice(server), await registerDevice(server)];
    for (const { userId } of [began, waited])
      await server.database.db.execute(sql`
        insert into subscriptions (subscription_id, user_id, plan_type, quota, remaining_time, cancel_at_period_end, status, created_at, updated_at, sync_version)
        values (${randomUUID()}, ${userId}, 'PLUS', 100, 100, false, 'active', now(), now(), 1)`);
    await openSection(began, second);
    expect([await statusFor(began), await statusFor(waited)]).toEqual([200, 200]);
    await server.database.db.execute(sql`update subscriptions set status = 'canceled'`);
    expect([await statusFor(began), await statusFor(waited)]).toEqual([200, 402]);
  });

  it.each(['course_section_videos', 'course_sections', 'courses'])(
    'stays refused when its %s are withdrawn',
    async (table) => {
      const { db } = server.database;
      const withdraw = (at: ReturnType<typeof sql>) =>
        db.execute(sql`update ${sql.identifier(table)} set deleted_at = ${at}`);
      await withdraw(sql`now()`);
      expect(await statusFor(learner)).toBe(402);
      await withdraw(sql`null`);
    },
  );
}
