import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, truncateSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSmtpFake } from '@parley/fakes/smtp/index.ts';
import S3rver from 's3rver';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ensureServerTemplate } from '../../../test-kit/server-folder.ts';
import { readConfig } from '../../compose/config/read-config.ts';
import { runDoctor } from './doctor.ts';

vi.setConfig({ testTimeout: 120_000 });
afterEach(() => vi.useRealTimers());

const root = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
const dir = join(root, 'server');
const MAIL_FROM = 'Parley <hello@parley.example>';

async function report(environment: Record<string, string> = {}): Promise<string> {
  const lines: string[] = [];
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dir, ADMIN_EMAILS: 'boss@school.example', ...environment });
  await runDoctor(config, { print: (line) => lines.push(line) }).catch((error: Error) => lines.push(error.message));
  return lines.join('\n');
}

it(
  'notices a clock that shows a time before this version, which an embedded database shares',
  { tags: ['slow'] },
  async () => {
    await cp(await ensureServerTemplate(), dir, { recursive: true });
    expect(await report()).toMatch(/^ok {4}clock: agrees[^]*^All checks passed\./m);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2020-01-01T10:00:00Z') });
    expect(await report()).toMatch(
      /^FAIL {2}clock: it is 2020-01-01T10:00:00\.000Z here, before[^]*^1 check failed\.$/m,
    );
  },
);

it('says that a damaged embedded database cannot be opened, and what to do', { tags: ['slow'] }, async () => {
  const damaged = join(root, 'damaged');
  await cp(await ensureServerTemplate(), damaged, { recursive: true });
  truncateSync(join(damaged, 'postgres', 'global', 'pg_control'), 100);
  expect(await report({ DATA_DIR: damaged })).toMatch(
    /^FAIL {2}database: The embedded database in .*damaged cannot be opened.*parley-server restore/m,
  );
});

describe('the mail server', () => {
  it('passes when it accepts the sign-in, and gets no e-mail', async () => {
    const fake = await startSmtpFake();
    onTestFinished(() => fake.close());
    const ADMIN_EMAILS = 'ines@school.example';
    expect(await report({ SMTP_URL: fake.url, MAIL_FROM, ADMIN_EMAILS })).toMatch(
      /^ok {4}mail server: would take an e-mail to ines@school\.example$/m,
    );
    expect(fake.mails).toEqual([]);
  });

  it.each(['sender', 'recipient'] as const)('fails when it refuses the %s', async (at) => {
    const fake = await startSmtpFake();
    onTestFinished(() => fake.close());
    fake.setFault({ type: 'answer', code: 550, at, says: '5.7.1 Relaying denied' });
    expect(await report({ SMTP_URL: fake.url, MAIL_FROM })).toMatch(
      /^FAIL {2}mail server: it takes no e-mail to \S+@\S+ \(.*Relaying denied\): correct SMTP_URL, MAIL_FROM/m,
    );
  });

  it('fails when it cannot be reached or refuses the sign-in', async () => {
    expect(await report({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM })).toMatch(
      /^FAIL {2}mail server: .*\(connect ECONNREFUSED 127\.0\.0\.1:1\).*correct SMTP_URL/m,
    );
    const server = createServer((socket) => {
      socket.write('220 mail.example\r\n');
      socket.on('data', (line) =>
        socket.write(String(line).startsWith('EHLO') ? '250 AUTH PLAIN\r\n' : '535 5.7.8 wrong password\r\n'),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const said = await report({ SMTP_URL: `smtp://parley:geheim@127.0.0.1:${port}`, MAIL_FROM });
    expect(said).toMatch(/^FAIL {2}mail server: .*Invalid login.*correct SMTP_URL/m);
    expect(said).not.toContain('geheim');
  });
});

describe('the bucket', () => {
  const files = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(root, 's3'),
    configureBuckets: [{ name: 'school', configs: [] }],
  });
  let bucket: Record<string, string>;
  beforeAll(async () => {
    mkdirSync(join(root, 's3'));
    const address: AddressInfo = await files.run();
    bucket = {
      S3_BUCKET: 'school',
      S3_ENDPOINT: `http://127.0.0.1:${address.port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    };
  });
  afterAll(() => files.close());

  it('passes when the key may use it, and keeps no file', async () => {
    expect(await report(bucket)).toMatch(/^ok {4}bucket: school can be read and written$/m);
    expect(readdirSync(join(root, 's3', 'school'), { recursive: true, encoding: 'utf8' }).join()).not.toContain('.txt');
  });

  it('names the clock when the service refuses its time', async () => {
    const server = createHttpServer((_request, response) => {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end('<Error><Code>RequestTimeTooSkewed</Code><Message>The time differs too much.</Message></Error>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await report({ ...bucket, S3_ENDPOINT: `http://127.0.0.1:${port}` })).toMatch(
      /^FAIL {2}bucket: .*RequestTimeTooSkewed.*set this server's clock/m,
    );
  });

  it.each([
    ['the key is unknown', { S3_ACCESS_KEY_ID: 'wrong' }, 'InvalidAccessKeyId'],
    ['it does not exist', { S3_BUCKET: 'elsewhere' }, 'NoSuchBucket'],
    ['nothing answers', { S3_ENDPOINT: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
  ])('fails when %s', async (_why, wrong: Record<string, string>, code) => {
    expect(await report({ ...bucket, ...wrong })).toMatch(
      new RegExp(`^FAIL {2}bucket: .*${code}.*correct S3_BUCKET`, 'm'),
    );
  });
});

it.skipIf(process.getuid?.() !== 0)('says to root which folder the owner of the data folder may not use', async () => {
  const [data, videos] = [join(root, 'data'), join(root, 'videos')];
  for (const folder of [data, videos]) mkdirSync(folder, { mode: 0o755 });
  for (const folder of [tmpdir(), root, videos]) chmodSync(folder, 0o755);
  chownSync(data, 65_534, 65_534);
  expect(await report({ DATA_DIR: data, MEDIA_DIR: videos })).toContain(
    `FAIL  media folder: ${videos} is not writable: change its owner or MEDIA_DIR.`,
  );
});
