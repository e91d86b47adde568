import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMail } from '../mail/index.ts';
import { openContentAdmin } from '../../test-kit/content/content-fixture.ts';
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
});

it('labels mails that were only written to the folder, and shows admins neither their codes nor their links', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-mail-'));
  const mail = await connectMail(readConfig({ DATA_DIR: dataDir }));
  const database = await openMemoryDatabase();
  const server = await startServer(database, { mail });
  const { device } = await openContentAdmin(server);
  const ask = async (call: string, body: object) => (await server.post(`/v1/admin/${call}`, body, device.token)).body;
  const { db } = database;
  const sender = createMail({ ...mail, db, now: server.now, newId: randomUUID, onChanged: () => undefined });
  const to = 'zoe@nordhafen.example';
  const link = 'https://parley.example/sign-in?link=secret';
  const enqueue = { userId: null, to, kind: 'access_link', step: '1', data: { firstName: 'Zoë', link } } as const;
  await db.transaction((tx) => sender.enqueue(tx, enqueue));
  expect(await sender.sendDue()).toMatchObject({ sent: 1 });

  const [file = ''] = readdirSync(join(dataDir, 'outbox'));
  expect(readFileSync(join(dataDir, 'outbox', file), 'utf8')).toContain('X-Parley-Not-Sent');
  expect(await ask('overview', {})).toMatchObject({ isMailWritten: true });
  // The owner of a new server signs in first, and would otherwise wait for an e-mail.
  const asked = await server.send({
    method: 'POST',
    url: '/v1/web/request-sign-in',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { email: to },
  });
  expect(asked).toMatchObject({ status: 200, body: { isMailWritten: true } });
  const askedByApp = await server.post('/v1/account/request-sign-in', { email: to });
  expect(askedByApp).toMatchObject({ status: 200, body: { isMailWritten: true } });
  const written = await ask('mails', { state: 'written' });
  expect(written).toMatchObject({ total: 1, rows: [{ to, state: 'sent', isWritten: true }] });
  expect(JSON.stringify(written)).not.toContain('secret');
  expect(await ask('mails', { state: 'sent' })).toMatchObject({ total: 0 });
  await server.close();
});
