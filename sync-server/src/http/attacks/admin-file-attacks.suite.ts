import { randomUUID } from 'node:crypto';
import { PACK_EXPORT_PATH, PACK_IMPORT_PATH, PACK_PREVIEW_PATH, UPLOADS_PATH } from '@parley/contract';
import { MEDIA_PATH } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { media } from '../../db/media-tables.ts';
import { secondFactors } from '../../db/school-tables.ts';
import { tables, webSessions } from '../../db/tables.ts';
import { setUpSchool } from '../../../test-kit/school/school-fixture.ts';

const HOUR_MS = 3_600_000;
const DRAFT = randomUUID();

/** Routes that carry files are not procedures of the contract, so the attacks on those do not cover them. */
const ROUTES: readonly { method: 'GET' | 'HEAD' | 'POST' | 'PATCH'; url: string; type?: string; isHidden?: boolean }[] =
  [
    { method: 'POST', url: PACK_PREVIEW_PATH, type: 'application/zip' },
    { method: 'POST', url: PACK_IMPORT_PATH, type: 'application/zip' },
    { method: 'GET', url: PACK_EXPORT_PATH },
    { method: 'POST', url: UPLOADS_PATH },
    { method: 'PATCH', url: `${UPLOADS_PATH}/${randomUUID()}`, type: 'application/offset+octet-stream' },
    { method: 'HEAD', url: `${UPLOADS_PATH}/${randomUUID()}` },
    // A learner is not told that the draft exists.
    { method: 'GET', url: `${MEDIA_PATH}/${DRAFT}`, isHidden: true },
    { method: 'HEAD', url: `${MEDIA_PATH}/${DRAFT}`, isHidden: true },
    { method: 'GET', url: `${MEDIA_PATH}/${DRAFT}/cover`, isHidden: true },
  ];

/** Attacks on the files of the admin panel. */
export function adminFileAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  let admin = '';
  let learner = '';
  beforeAll(async () => {
    admin = await scene.signInBrowser(scene.adminEmail);
    learner = await scene.signInBrowser('learner@nordhafen.example');
    await scene.server.database.db.insert(media).values({
      id: DRAFT,
      state: 'ready',
      fileName: 'draft.mp4',
      bytes: 10,
      mediaType: 'video/mp4',
      sha256: 'x',
      uploadedBy: scene.adminId,
      createdAt: scene.server.now(),
    });
  });

  const ask = async (
    { method, url, type }: (typeof ROUTES)[number],
    headers: Record<string, string>,
  ): Promise<{ status: number; code: unknown }> => {
    const { statusCode, payload } = await scene.server.app.inject({
      method,
      url,
      headers: {
        host: 'parley.example',
        'tus-resumable': '1.0.0',
        'upload-length': '10',
        'upload-offset': '0',
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(type === undefined ? {} : { payload: Buffer.from('x') }),
    });
    return {
      status: statusCode,
      code: payload.startsWith('{') ? (JSON.parse(payload) as { code: string }).code : null,
    };
  };
  const own = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });
  const codeOf = ({ method }: (typeof ROUTES)[number], code: string): string | null =>
    method === 'HEAD' ? null : code;

  describe.each(ROUTES)('$method $url', (route) => {
    it('is refused to strangers', async () => {
      for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { authorization: 'Bearer x' }, own('a=b')])
        expect(await ask(route, headers)).toEqual({ status: 401, code: codeOf(route, 'auth.required') });
    });

    it('is refused to learners', async () => {
      expect(await ask(route, own(learner))).toEqual(
        route.isHidden === true
          ? { status: 404, code: codeOf(route, 'request.invalid') }
          : { status: 403, code: codeOf(route, 'auth.forbidden') },
      );
    });

    // Browsers do not let a page read another site's response, so reading needs no such check.
    if (route.method !== 'GET' && route.method !== 'HEAD')
      it('is refused to pages of other sites', async () => {
        for (const from of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}])
          expect(await ask(route, { cookie: admin, ...from })).toEqual({ status: 403, code: 'auth.forbidden' });
      });

    it('is refused at once to an admin who has lost the role', async () => {
      const { db } = scene.server.database;
      const setAdmin = (isAdmin: boolean) =>
        db
          .update(tables.users)
          .set({ isAdmin })
          .where(eq(tables.users.userId, scene.adminId as never));
      await setAdmin(false);
      const answer = await ask(route, own(admin));
      await setAdmin(true);
      expect(answer.status).toBe(route.isHidden === true ? 404 : 403);
    });

    it('is refused without a second factor, where the admin has one', async () => {
      const { database, now } = scene.server;
      const at = now();
      await database.db
        .insert(secondFactors)
        .values({ userId: scene.adminId as never, sealedSecret: 'x', createdAt: at, confirmedAt: at });
      const answer = await ask(route, own(admin));
      await database.db.delete(secondFactors);
      expect(answer).toEqual({ status: 403, code: codeOf(route, 'auth.second_factor_required') });
    });

    it('is refused when the admin was confirmed too long ago', async () => {
      const { database, now } = scene.server;
      const confirmAt = (confirmedAt: Date) =>
        database.db.update(webSessions).set({ confirmedAt }).where(eq(webSessions.userId, scene.adminId));
      await confirmAt(new Date(now().getTime() - 12 * HOUR_MS - 1));
      expect(await ask(route, own(admin))).toEqual({ status: 403, code: codeOf(route, 'auth.confirmation_required') });
      await confirmAt(now());
      expect([401, 403]).not.toContain((await ask(route, own(admin))).status);
    });
  });
}
