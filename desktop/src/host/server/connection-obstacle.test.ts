/** Why the learner is offline although something answers at the server's address. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openHost, startPractice } from '../test-kit/open-host.ts';

// The authority signed all certificates but one; they are for `localhost`, and valid from 2020 to 2049, unless their
// names say otherwise.
const read = (name: string): string => readFileSync(join(import.meta.dirname, 'test-certificates', name), 'utf8');

beforeAll(() => {
  const usual = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...usual, read('authority.pem')]);
  return () => tls.setDefaultCACertificates(usual);
});

it.each([
  ['expired', 'certificate_expired'],
  ['not-yet-valid', 'certificate_not_yet_valid'],
  ['other-name', 'certificate_other_name'],
  ['not-trusted', 'certificate_not_trusted'],
])('a certificate that is %s is named, and nothing is sent', async (name, obstacle) => {
  const asked: (string | undefined)[] = [];
  const server = createServer({ key: read('server.key'), cert: read(`${name}.pem`) }, (request, response) => {
    asked.push(request.url);
    response.end('{}');
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { host, ask } = await openHost({ serverUrl: `https://localhost:${(server.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await host.close();
    server.closeAllConnections();
    server.close();
  });
  await startPractice(ask, 'text');
  expect(await ask.sync.run()).toMatchObject({ state: 'offline', obstacle });
  expect((await ask.sync.status()).waiting).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

it('names no obstacle when nothing answers at the address', async () => {
  const { host, ask } = await openHost({ serverUrl: 'https://localhost:9' });
  onTestFinished(() => host.close());
  expect(await ask.sync.run()).toMatchObject({ state: 'offline', obstacle: null });
});
