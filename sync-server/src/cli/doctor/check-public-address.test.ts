import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { checkPublicAddress } from './check-public-address.ts';

const OWN = '0b8f9d4e-6c1f-4f0e-9a9e-1c1f0a3d5b7e';
const OTHER = '1b8f9d4e-6c1f-4f0e-9a9e-1c1f0a3d5b7e';
const info = (id: string): string =>
  JSON.stringify({ product: 'parley', id, version: '0.1.0', protocols: { oldest: 2, newest: 3 } });

/** Returns the finding about an address that responds in this way. */
async function check(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { location: 'https://other.example/v1/server' }).end(body),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [finding] = await checkPublicAddress({ publicUrl }, OWN);
  server.close();
  server.closeAllConnections();
  return `${finding?.isGood ? 'ok' : 'FAIL'} ${finding?.text.replace(publicUrl, 'URL')}`;
}

it.each([
  ['this server', 200, info(OWN), 'ok URL leads to this server'],
  ['another Parley server', 200, info(OTHER), 'FAIL URL leads to another Parley server'],
  ['a website', 200, '<html>', 'FAIL URL is not a Parley server (status 200)'],
  [
    'a redirect',
    301,
    '',
    'FAIL URL redirects to https://other.example: apps follow no redirect, so correct PUBLIC_URL',
  ],
  ['a balancer that changes the host', 421, '', 'FAIL URL does not pass the Host header on'],
  ['a balancer before the first start', 502, '', 'ok nothing answers at URL now'],
])('tells an operator when the public address leads to %s', async (_what, status, body, sentence) => {
  expect(await check(status, body)).toContain(sentence);
});

it('tells an operator when the public address has no server yet, or does not exist', async () => {
  const say = async (publicUrl: string): Promise<string> =>
    JSON.stringify(await checkPublicAddress({ publicUrl }, OWN));
  expect(await say('http://127.0.0.1:1')).toContain('"isGood":true,"text":"nothing answers');
  expect(await say('https://nosuch.invalid')).toContain('has no address in the DNS');
  expect(await checkPublicAddress({ publicUrl: null }, OWN)).toEqual([]);
});
