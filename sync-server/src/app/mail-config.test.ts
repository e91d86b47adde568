import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ownSecret } from './own-secret.ts';

const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/parley' };

describe('the configuration of e-mails', () => {
  it('needs nothing in development', () => {
    expect(readConfig({})).toMatchObject({ mail: { smtpUrl: null, timeZone: 'UTC' }, publicUrl: null, secret: null });
  });

  it('takes the address from outside without its path', () => {
    expect(readConfig({ PUBLIC_URL: 'https://parley.example/app/' }).publicUrl).toBe('https://parley.example');
  });

  it.each([
    ['production without a secret', PRODUCTION, 'SECRET'],
    ['a secret that can be guessed', { SECRET: 'short' }, 'SECRET'],
    ['a mail server without a sender', { SMTP_URL: 'smtps://mail.example' }, 'MAIL_FROM'],
    ['what is no mail server', { SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@parley.example' }, 'SMTP_URL'],
    ['a time zone that there is not', { MAIL_TIME_ZONE: 'Europe/Atlantis' }, 'MAIL_TIME_ZONE'],
  ])('refuses %s, naming the variable', (_what, environment, variable) => {
    expect(() => readConfig(environment)).toThrow(variable);
  });
});

describe('the secret of a server that nobody gave one', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-secret-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('is made once, also by servers that start together, and read by its owner alone', async () => {
    const dataDir = join(dir, 'data');
    const [first, ...others] = await Promise.all([ownSecret(dataDir), ownSecret(dataDir), ownSecret(dataDir)]);
    expect(first.length).toBeGreaterThanOrEqual(43);
    expect([...others, await ownSecret(dataDir)]).toEqual([first, first, first]);
    expect(statSync(join(dataDir, 'secret')).mode & 0o077).toBe(0);
    expect(await ownSecret(join(dir, 'another'))).not.toBe(first);
  });
});
