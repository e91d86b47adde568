import { describe, expect, it } from 'vitest';
import { Environment } from './environment.ts';
import { readConfig } from './read-config.ts';

it('treats an empty variable as unset', () => {
  const blank = Object.fromEntries(Object.keys(Environment.shape).map((name) => [name, '']));
  expect(readConfig(blank)).toEqual(readConfig({}));
});

it('treats a variable of spaces as unset', () => {
  expect(readConfig({ PORT: ' ' }).port).toBe(readConfig({}).port);
});

it('ignores a comma at the end of ADMIN_EMAILS', () => {
  expect(readConfig({ ADMIN_EMAILS: 'a@parley.example, b@parley.example,' }).adminEmails).toEqual([
    'a@parley.example',
    'b@parley.example',
  ]);
});

describe('an invalid environment', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a number'],
    [{ PORT: '99999' }, 'PORT: must be at most 65535'],
    [{ PORT: '1.5' }, 'PORT: must be a whole number'],
    [{ OPENAI_FIRST_BYTE_TIMEOUT_S: '1.5' }, 'OPENAI_FIRST_BYTE_TIMEOUT_S: must be a whole number'],
    [{ MAIL_BOUNCES_TO: 'zz' }, 'MAIL_BOUNCES_TO: must be an e-mail address'],
    [{ STRIPE_WEBHOOK_SECRET: 'zz' }, 'STRIPE_WEBHOOK_SECRET: must begin with whsec_'],
    [{ PUBLIC_URL: 'https://u:p@parley.example' }, 'PUBLIC_URL: must not contain a user name or password'],
    [{ SHUTDOWN_DRAIN_S: '-1' }, 'SHUTDOWN_DRAIN_S: must be at least 0'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV: must be development, production or test'],
    [{ MAIL: 'smtp' }, 'MAIL: must be files'],
    [{ ADMIN_EMAILS: 'a@parley.example,bob' }, 'ADMIN_EMAILS: bob is not an e-mail address'],
    [{ SMTP_URL: 'mail.parley.example' }, 'SMTP_URL: must be an address that begins with smtp:// or smtps://'],
    [{ PUBLIC_URL: 'parley.example' }, 'PUBLIC_URL: must be an address that begins with http:// or https://'],
  ])('%j is explained in one line', (environment, line) => {
    expect(() => readConfig(environment)).toThrow(`The environment is invalid:\n${line}`);
  });
});

describe('a DATABASE_URL', () => {
  it.each([
    'postgres://db/parley',
    'postgresql://parley:p%23s%2Fs@db:5432/parley?sslmode=verify-full',
    'postgres://parley:p@ss@db/parley',
    'postgres:///parley?host=/var/run/postgresql',
    'postgres://parley@/parley?host=/var/run/postgresql',
    'postgres://db/parley?user=parley@server',
    'postgres://parley:p%23s@db:5432/parley?application_name=parley@server',
    'postgres://parley@%2Fvar%2Frun%2Fpostgresql/parley',
  ])('%s is accepted', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    'postgres://parley:p#ss@db/parley',
    'postgres://parley:12#ss@db/parley',
    'postgres://parley:p/ss@db/parley',
    'postgres://parley:12/ss@db/parley',
    'postgres://parley:p?ss@db/parley',
    'postgres://parley:12?ss@db/parley',
    'postgres://parley:12?s=ss@db/parley',
    'postgres://parley:ss@db:543210/parley',
    'postgres://parley:100%ss@db/parley',
    'postgres://parley:ss%@db/parley',
  ])('%s is refused without showing the password', (url) => {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow(/DATABASE_URL: must be .*\(# is %23/);
    expect(() => readConfig({ DATABASE_URL: url })).not.toThrow(/ss@/);
  });
});

describe('an SMTP_URL', () => {
  const from = { MAIL_FROM: 'hello@parley.example' };

  it.each([
    'smtp://mail:1025',
    'smtps://parley:p%23s%2Fs@mail.parley.example:465',
    'smtps://hello@parley.example:p@ss@mail.parley.example',
    'smtp://mail.parley.example/?pool=true',
  ])('%s is accepted', (url) => {
    expect(readConfig({ ...from, SMTP_URL: url }).mail.smtpUrl).toBe(url);
  });

  it.each(['p#ss', '12#ss', 'p/ss', '12/ss', 'p?ss', '12?ss'])(
    'with the password %s is refused without showing it',
    (password) => {
      const read = (): unknown => readConfig({ ...from, SMTP_URL: `smtp://parley:${password}@mail.parley.example` });
      expect(read).toThrow(/SMTP_URL: must be smtp:.*\(# is %23/);
      expect(read).not.toThrow(/ss@/);
    },
  );
});
