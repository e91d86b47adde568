import { MAX_LOGO_BYTES } from '@parley/contract';
import type { SchoolLogo } from '@parley/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { anEmail } from '../../test-kit/mailbox.ts';
import { aPng, toAddress } from '../../test-kit/media/a-png.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';

const SETTINGS = {
  name: 'Nordhafen <Academy>',
  contactEmail: null,
  timeZone: 'UTC',
  requiresSecondFactor: false,
  auditMonths: null,
  mailMonths: null,
};
const PAGES = ['/', '/blog', '/privacy', '/nowhere', '/sign-in', '/plans'];

/** A school's identity on its pages and in its e-mails. */
export function brandSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  const get = (url: string) => scene.server.app.inject({ url, headers: { accept: 'text/html' } });
  const save = (change: object) => scene.ask('save-settings', { ...SETTINGS, ...change });
  const saveLogo = (picture: string | null) => scene.ask('save-logo', { picture });

  beforeEach(async () => {
    await save({ colour: null });
    await saveLogo(null);
  });

  describe('a school that chose no colour and has no logo', () => {
    it.each(PAGES)('shows Parley’s own on %s', async (path) => {
      const { body } = await get(path);
      expect(body).not.toMatch(/\/site\/(brand|logo)\//);
      expect(body).toContain('<path d="M5 4v16M14 11.5v1"');
    });
  });

  describe('the colour of a school', () => {
    it.each(['red', '#12345', '#GGGGGG', '#2F49C9', '#2f49c9;}', ''])(
      'is refused when it is not a colour: %s',
      async (colour) => {
        expect(await save({ colour })).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
      },
    );

    it('is in the style of every page, in a shade that can be read in each theme', async () => {
      expect(await save({ colour: '#ffd400' })).toMatchObject({ status: 200 });
      for (const path of PAGES) {
        const { body, headers } = await get(path);
        expect(body, path).toContain('<link rel="stylesheet" href="/site/brand/ffd400.css" />');
        expect(headers['content-security-policy'], path).toMatch(/style-src[^;]*'self'/);
        expect(body, path).not.toContain('Nordhafen <Academy>');
        expect(body, path).toContain('Nordhafen &lt;Academy&gt;');
      }
      const { body, headers } = await get('/site/brand/ffd400.css');
      expect(headers).toMatchObject({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      // Yellow is unreadable on a light page, but not on a dark one.
      expect(body).toMatch(
        /^:root\{--brand:#(?!ffd400)[0-9a-f]{6}\}@media \(prefers-color-scheme:dark\)\{:root\{--brand:#ffd400\}\}$/m,
      );
      expect((await get('/site/icon.svg')).body).not.toContain('#2f49c9');
    });

    it.each(['x.css', 'ffd400', 'FFD400.css', 'ffd400.css.css', '%2e%2e%2fstyle.css', 'ffd4000.css'])(
      'has no style at /site/brand/%s',
      async (file) => expect((await get(`/site/brand/${file}`)).statusCode).toBe(404),
    );

    it('is in the frame of the panel', async () => {
      await save({ colour: '#ffd400' });
      expect((await scene.ask('overview', {})).body).toMatchObject({
        school: { name: 'Nordhafen <Academy>', colour: '#ffd400', logo: null },
      });
    });

    it('is in the e-mails, with the name of the school', async () => {
      const email = anEmail();
      await save({ colour: '#7a1f5c' });
      await scene.ask('invite', { invitations: [{ email }] });
      const { rows } = (await scene.server.database.db.execute(
        `select html, text from mails where "to" = '${email}'`,
      )) as { rows: { html: string; text: string }[] };
      const [mail] = rows;
      expect(mail?.html).toContain('background-color:#7a1f5c');
      expect(mail?.html).toContain('Nordhafen &lt;Academy&gt;');
      expect(mail?.text).toContain('Nordhafen <Academy>\nhttps://parley.example');
    });

    it('can be taken back', async () => {
      await save({ colour: '#ffd400' });
      await save({ colour: null });
      expect((await get('/')).body).not.toContain('/site/brand/');
    });
  });

  describe('the logo of a school', () => {
    let logo: SchoolLogo;
    beforeEach(async () => {
      logo = (await saveLogo(toAddress(aPng(300, 60)))).body['logo'] as SchoolLogo;
    });

    it.each(PAGES)('appears next to the name on %s, with its size', async (path) => {
      const { body, headers } = await get(path);
      expect(body).toContain(`<img class="logo" src="${logo.path}" width="160" height="32" alt="" />`);
      expect(headers['content-security-policy']).toMatch(/img-src[^;]*'self'/);
    });

    it('is served with its own type and cached permanently', async () => {
      const { statusCode, headers, rawPayload } = await get(logo.path);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(`data:image/png;base64,${rawPayload.toString('base64')}`).toBe(toAddress(aPng(300, 60)));
    });

    it('is in the frame of the panel', async () => {
      expect((await scene.ask('overview', {})).body).toMatchObject({ school: { colour: null, logo } });
    });

    it('is in the settings and the audit log', async () => {
      expect((await scene.ask('settings', {})).body).toMatchObject({ logo });
      scene.server.advanceClock(1_000);
      const { body } = await saveLogo(toAddress(aPng(200, 60)));
      const { body: audit } = await scene.ask('audit', { act: 'settings_changed', direction: 'desc' });
      const [entry] = audit['rows'] as object[];
      expect(entry).toMatchObject({
        before: { logo: logo.path },
        after: { logo: (body['logo'] as SchoolLogo).path },
      });
      // Pages cached by a CDN still show the former logo.
      expect((await get(logo.path)).statusCode).toBe(200);
    });

    it.each([
      [
        'no picture',
        `data:image/png;base64,${Buffer.from('<!doctype html><script>alert(1)</script>').toString('base64')}`,
      ],
      ['a drawing', 'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
      [
        'a drawing that says it is a PNG',
        `data:image/png;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
      ],
      [
        'a picture cut off after its signature',
        `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString('base64')}`,
      ],
      ['a picture without a size', toAddress(aPng(0, 0))],
      ['a picture that fills a wall', toAddress(aPng(601, 60))],
      ['a picture of too many bytes', toAddress(aPng(60, 60, MAX_LOGO_BYTES))],
      ['an address elsewhere', 'https://elsewhere.example/logo.png'],
      ['nothing', ''],
    ])('is refused when it is %s', async (_what, picture) => {
      const before = (await scene.ask('settings', {})).body['logo'];
      expect(await saveLogo(picture)).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
      expect((await scene.ask('settings', {})).body['logo']).toEqual(before);
    });

    it.each(['x.png', '../logo.png', '%2e%2e%2fmedia%2fx', `${'0'.repeat(64)}.png`, '0'.repeat(64)])(
      'is not found at /site/logo/%s',
      async (file) => expect((await get(`/site/logo/${file}`)).statusCode).toBe(404),
    );

    it('can be removed, and stays removed when the settings are saved', async () => {
      expect(await saveLogo(null)).toMatchObject({ status: 200, body: { logo: null } });
      await save({ colour: null });
      expect((await get('/')).body).not.toContain('/site/logo/');
    });
  });
}
