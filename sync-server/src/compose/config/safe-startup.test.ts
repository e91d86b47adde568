import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from './read-config.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '0.0.0.0',
  DATABASE_URL: 'postgres://db/parley',
  SECRET: '3f9c1d7ab2e84056c1f09d7e5a6b8c24',
  PUBLIC_URL: 'https://parley.example',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'hello@parley.example',
};

describe('a server in production', () => {
  it('starts with a complete configuration', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ isProduction: true, host: '0.0.0.0' });
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      for (let n = 0; n < 50; n += 1)
        expect(() => readConfig({ ...PRODUCTION, SECRET: randomBytes(24).toString(encoding) })).not.toThrow();
  });

  it.each<[what: string, environment: Record<string, string>, sentence: RegExp]>([
    ['no database', { DATABASE_URL: '' }, /set DATABASE_URL/],
    ['no secret', { SECRET: '' }, /SECRET.*openssl rand/],
    ['a secret of one repeated letter', { SECRET: 'x'.repeat(40) }, /SECRET is too easy to guess.*openssl rand/],
    ['a secret with a repeated pattern', { SECRET: 'k3v9'.repeat(10) }, /SECRET is too easy to guess/],
    ['an alphabetical secret', { SECRET: 'abcdefghijklmnopqrstuvwxyz0123456789' }, /SECRET is too easy to guess/],
    [
      'a keyboard sequence as the secret',
      { SECRET: 'qwertyuiopasdfghjklzxcvbnm123456' },
      /SECRET is too easy to guess/,
    ],
    ['an example secret', { SECRET: 'please-change-me-before-you-deploy-it' }, /SECRET is too easy to guess/],
    ['no public address', { PUBLIC_URL: '' }, /set PUBLIC_URL \(https/],
    ['an address without TLS', { PUBLIC_URL: 'http://parley.example' }, /set PUBLIC_URL \(https/],
    ['no mail server', { SMTP_URL: '', MAIL_FROM: '' }, /set SMTP_URL.*MAIL=files/],
    ['trusted proxies that cover the internet', { TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' }, /TRUST_PROXY=1/],
  ])('refuses to start with %s and says what to do', (_what, environment, sentence) => {
    expect(() => readConfig({ ...PRODUCTION, ...environment })).toThrow(sentence);
  });

  it('lists all problems at once', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/DATABASE_URL[^]*SECRET[^]*PUBLIC_URL[^]*SMTP_URL/);
  });

  it('writes e-mails to files on request, but not beside a mail server', () => {
    const { SMTP_URL: _, ...without } = PRODUCTION;
    expect(readConfig({ ...without, MAIL: 'files' }).mail.smtpUrl).toBeNull();
    expect(() => readConfig({ ...PRODUCTION, MAIL: 'files' })).toThrow(/MAIL=files.*SMTP_URL/);
  });

  it('cannot be made insecure by PARLEY_INSECURE', () => {
    expect(() => readConfig({ ...PRODUCTION, SECRET: 'x'.repeat(40), PARLEY_INSECURE: '1' })).toThrow(/SECRET/);
  });
});

describe('a server outside production', () => {
  it.each(['127.0.0.1', '127.0.0.5', 'localhost', '::1'])('listens at %s', (host) => {
    expect(readConfig({ HOST: '' }).host).toBe('127.0.0.1');
    expect(readConfig({ HOST: host }).host).toBe(host);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'parley.example', 'fd00::1'])(
    'refuses to listen at %j without consent and says what would be exposed',
    (host) => {
      const problem =
        /anyone can use the coaches[^]*ACCESS=open[^]*PAYMENTS=fake[^]*NODE_ENV=production[^]*PARLEY_INSECURE=1/;
      expect(() => readConfig({ HOST: host })).toThrow(problem);
      expect(() => readConfig({ HOST: host, NODE_ENV: 'development' })).toThrow(problem);
      expect(() => readConfig({ HOST: host, PARLEY_INSECURE: '0' })).toThrow(problem);
      expect(readConfig({ HOST: host, PARLEY_INSECURE: '1' }).host).toBe(host);
    },
  );

  it('does not list settings that are already safe', () => {
    const closed = { HOST: '0.0.0.0', ACCESS: 'granted', PAYMENTS: 'off', PUBLIC_URL: 'https://parley.example' };
    expect(() => readConfig(closed)).toThrow(/^(?![^]*(ACCESS=open|PAYMENTS=fake|unencrypted))[^]*sign-in codes/);
  });
});

describe('trusted proxies', () => {
  it.each([
    '0.0.0.0/1',
    '64.0.0.0/4',
    '0.0.0.0/1,128.0.0.0/1',
    '1.0.0.0/8,2.0.0.0/8,3.0.0.0/8',
    '::/1',
    '2000::/3',
    '2000::/12',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/97',
    '::/64',
    '::ffff:0:0/90',
  ])('may not be %s', (networks) => {
    expect(() => readConfig({ TRUST_PROXY: networks })).toThrow(
      /cover so much of the internet.*TRUST_PROXY=10\.0\.0\.0\/8/,
    );
  });

  it.each([
    '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7',
    '::ffff:10.0.0.0/104',
    '104.16.0.0/13,172.64.0.0/13,2400:cb00::/32',
    '127.0.0.1,::1',
  ])('may be %s', (networks) => {
    expect(readConfig({ TRUST_PROXY: networks }).trustProxy).toEqual(networks.split(','));
  });
});

it('still accepts the former name of the fake of payments', () => {
  expect(readConfig({ PAYMENTS: 'twin' }).payments).toEqual({ type: 'fake' });
  expect(() => readConfig({ ...PRODUCTION, PAYMENTS: 'twin' })).toThrow('PAYMENTS=fake takes no real money');
});
