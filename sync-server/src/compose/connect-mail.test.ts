import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../../test-kit/memory-database.ts';
import { startServer } from '../../test-kit/server.ts';
import { readConfig } from './config/read-config.ts';
import { connectMail } from './connect-mail.ts';

it('a configured key opens the bounce route', async () => {
  const key = 'the key of the mail server that reports bounces';
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-mail-'));
  const mail = await connectMail(readConfig({ DATA_DIR: dataDir, MAIL_BOUNCES_KEY: key }));
  const server = await startServer(await openMemoryDatabase(), { mail });
  const report = (headers: Record<string, string>) =>
    server.send({ method: 'POST', url: '/v1/mail/bounces', headers, payload: 'Subject: Thank you!\r\n\r\nAnna' });
  expect(await report({ authorization: `Bearer ${key}` })).toEqual({ status: 200, body: { noted: false } });
  expect(await report({})).toMatchObject({ status: 401 });
  await server.close();
  rmSync(dataDir, { recursive: true });
});
