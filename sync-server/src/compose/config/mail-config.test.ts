import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from './read-config.ts';
import { loadOrCreateSecret } from './load-or-create-secret.ts';

const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/parley' };

describe('the mail configuration', () => {
  it('needs nothing in development', () => {
    expect(readConfig({})).toMatchObject({ mail: { smtpUrl: null, timeZone: 'UTC' }, publicUrl: null, secret: null });
  });

  it('takes PUBLIC_URL with or without a final slash', () => {
    expect(readConfig({ PUBLIC_URL: 'https://parley.example/' }).publicUrl).toBe('https://parley.example');
    expect(readConfig({ PUBLIC_URL: 'https://parley.example' }).publicUrl).toBe('https://parley.example');
  });

  it('refuses a PUBLIC_URL with a path, which links in e-mails would lack', () => {
    expect(() => readConfig({ PUBLIC_URL: 'https://parley.example/app' })).toThrow(
      'PUBLIC_URL: must not contain a path',
    );
  });

  it.each([
    ['production without a secret', PRODUCTION, 'SECRET'],
    ['a guessable secret', { SECRET: 'short' }, 'SECRET'],
    ['a mail server without a sender', { SMTP_URL: 'smtps://mail.example' }, 'MAIL_FROM'],
    ['an invalid mail server URL', { SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@parley.example' }, 'SMTP_URL'],
    ['an unknown time zone', { MAIL_TIME_ZONE: 'Europe/Atlantis' }, 'MAIL_TIME_ZONE'],
  ])('rejects %s and names the variable', (_what, environment, variable) => {
    expect(() => readConfig(environment)).toThrow(variable);
  });
});

describe('the generated secret of a server', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-secret-'));
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('is created once, even by concurrent starts, and is private to its owner', async () => {
    const dataDir = join(dir, 'data');
    const [first, ...others] = await Promise.all([
      loadOrCreateSecret(dataDir),
      loadOrCreateSecret(dataDir),
      loadOrCreateSecret(dataDir),
    ]);
    expect(first.length).toBeGreaterThanOrEqual(43);
    expect([...others, await loadOrCreateSecret(dataDir)]).toEqual([first, first, first]);
    expect(statSync(join(dataDir, 'secret')).mode & 0o077).toBe(0);
    expect(await loadOrCreateSecret(join(dir, 'another'))).not.toBe(first);
  });

  it('is never an empty one, as a power cut may leave behind', async () => {
    const dataDir = join(dir, 'empty');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'secret'), '');
    await expect(loadOrCreateSecret(dataDir)).rejects.toThrow(/secret is empty\. Delete it/);
    expect(readdirSync(dataDir)).toEqual(['secret']);
  });

  it.each(['EPERM', 'ENOTSUP', 'EISDIR'])('is created once on a disk without hard links (%s)', async (code) => {
    vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error(`${code}: link`), { code }));
    syncBuiltinESMExports();
    const dataDir = join(dir, code);
    const [first, ...others] = await Promise.all([loadOrCreateSecret(dataDir), loadOrCreateSecret(dataDir)]);
    expect(first.length).toBeGreaterThanOrEqual(43);
    expect([...others, await loadOrCreateSecret(dataDir)]).toEqual([first, first]);
    expect(readdirSync(dataDir)).toEqual(['secret']);
    expect(statSync(join(dataDir, 'secret')).mode & 0o077).toBe(0);
  });
});
