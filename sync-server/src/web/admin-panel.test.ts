import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../test-kit/memory-database.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

describe('the admin panel', () => {
  let server: TestServer;
  let folder: string;
  const get = (url: string) => server.app.inject({ method: 'GET', url, headers: { host: 'parley.example' } });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-panel-'));
    server = await startServer(await openMemoryDatabase(), { adminPanelDir: join(folder, 'out') });
  });
  afterAll(() => server.close());

  it('explains what to do when it is not built', async () => {
    const { statusCode, payload } = await get('/admin');
    expect(statusCode).toBe(503);
    expect(payload).toContain('npm run build');
  });

  describe('that is built', () => {
    beforeAll(async () => {
      await mkdir(join(folder, 'out/assets'), { recursive: true });
      await writeFile(join(folder, 'out/index.html'), '<!doctype html><title>Panel</title>');
      await writeFile(join(folder, 'out/assets/main-1.js'), '/* panel */');
      await writeFile(join(folder, 'secret.txt'), 'secret');
    });

    it.each(['/admin', '/admin/', '/admin/learners?search=a', '/admin/classes/1'])(
      'is served at %s with a policy of its own',
      async (url) => {
        const { statusCode, payload, headers } = await get(url);
        expect([statusCode, payload]).toEqual([200, '<!doctype html><title>Panel</title>']);
        const policy = String(headers['content-security-policy']);
        expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-");
        expect(policy).not.toContain('unsafe');
        expect(policy).toContain("frame-ancestors 'none'");
        expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-frame-options': 'DENY' });
      },
    );

    it('has assets that a browser keeps', async () => {
      const { statusCode, payload, headers } = await get('/admin/assets/main-1.js');
      expect([statusCode, payload]).toEqual([200, '/* panel */']);
      expect(headers['cache-control']).toContain('immutable');
      expect(headers['content-type']).toContain('javascript');
    });

    it.each(['/admin/assets/none.js', '/admin/assets/../../secret.txt', '/admin/assets/%2e%2e%2f%2e%2e%2fsecret.txt'])(
      'has nothing at %s',
      async (url) => {
        const { statusCode, payload } = await get(url);
        expect(payload).not.toContain('secret');
        expect(url.includes('none') ? statusCode : 404).toBe(404);
      },
    );
  });
});
