import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failed } from '../../../host/index.ts';
import { answerAppRequest } from './app-protocol.ts';

const parent = mkdtempSync(join(tmpdir(), 'parley-protocol-'));
const rendererDir = join(parent, 'renderer');
mkdirSync(join(rendererDir, 'assets'), { recursive: true });
writeFileSync(join(rendererDir, 'index.html'), '<p>Parley</p>');
writeFileSync(join(rendererDir, 'assets', 'a b.js'), 'export {};');
writeFileSync(join(rendererDir, 'private.key'), 'secret');
writeFileSync(join(parent, 'outside.js'), 'secret');

const NO_VIDEO = { rendererDir, findVideo: async () => failed('video.not_found') };
const get = (url: string, method = 'GET') =>
  answerAppRequest({ method, url, headers: new Headers(), signal: new AbortController().signal }, NO_VIDEO);

describe('parley://app/', () => {
  it.each([
    ['parley://app/', 'text/html; charset=utf-8', '<p>Parley</p>'],
    ['parley://app', 'text/html; charset=utf-8', '<p>Parley</p>'],
    ['parley://app/index.html?x=1#/history', 'text/html; charset=utf-8', '<p>Parley</p>'],
    ['parley://app/assets/a%20b.js', 'text/javascript; charset=utf-8', 'export {};'],
  ])('serves %s', async (url, mediaType, body) => {
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await response.text()).toBe(body);
  });

  it.each([
    ['parley://app/../outside.js', 404],
    ['parley://app/%2e%2e/outside.js', 404],
    ['parley://app/%2e%2e%2foutside.js', 404],
    ['parley://app/..%5coutside.js', 404],
    ['parley://app/assets/%00.js', 404],
    ['parley://app/%zz', 404],
    ['parley://app/private.key', 404],
    ['parley://app/assets', 404],
    ['parley://other/index.html', 403],
  ])('does not serve %s', async (url, status) => {
    const response = await get(url);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
  });

  it('is read-only', async () => {
    expect((await get('parley://app/', 'POST')).status).toBe(405);
  });

  it('allows no foreign or inline script in any response', async () => {
    for (const url of ['parley://app/', 'parley://app/none.js', 'parley://other/']) {
      const { headers } = await get(url);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});
