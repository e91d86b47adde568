/** A server whose list of copies names a file elsewhere on the computer. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RecordingId } from '@parley/domain';
import { expect, it, onTestFinished } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';

/** Sent in place of a copy's hash, from which the name of its file is derived. */
const NAME = '../../planted';
const recordingId = RecordingId.parse('019aa000-0000-7000-8000-00000000abcd');

const LIST = {
  keeping: { isOn: true, usedBytes: 4, quotaBytes: 1_000, chosenAt: null, copiesDeletedAt: null },
  generation: randomUUID(),
  startsOver: false,
  recordings: [{ recordingId, sessionId: '019aa000-0000-7000-8000-00000000abce', sha256: NAME, bytes: 1_000 }],
  next: 1,
  hasMore: false,
};

it('writes nothing outside the folder of the copies', async () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v1/recordings/audio') === true) {
      response.writeHead(200, { 'content-type': 'audio/ogg', etag: `"${NAME}"` }).end('any text');
      return;
    }
    const isList = request.url?.startsWith('/v1/recordings/list') === true;
    response.writeHead(isList ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isList ? LIST : { code: 'internal' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { host, ask, dataDir } = await openHost({ serverUrl });
  onTestFinished(async () => {
    await host.close();
    server.closeAllConnections();
    server.close();
  });
  await expect(ask.recordings.read({ recordingId })).rejects.toMatchObject({ code: expect.any(String) });
  expect(readdirSync(dataDir).filter((name) => name.startsWith('planted'))).toEqual([]);
});
