import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { findLocalModels, LOCAL_ADDRESSES } from './find-local-models.ts';

const CLOSED_ADDRESS = 'http://127.0.0.1:9';
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
});

async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const respondWith =
  (answers: Record<string, unknown>, { transcribes = false } = {}): RequestListener =>
  (request, response) => {
    if (transcribes && request.url === '/v1/audio/transcriptions') return void response.writeHead(400).end('{}');
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  };

it('only probes this machine', () => {
  expect(Object.values(LOCAL_ADDRESSES).map((address) => new URL(address).hostname)).toEqual([
    '127.0.0.1',
    '127.0.0.1',
  ]);
});

it('lists the chat models of Ollama and LM Studio', async () => {
  const ollama = await startServer(
    respondWith({ '/api/tags': { models: [{ name: 'llama3.3:latest' }, { name: 'nomic-embed-text' }] } }),
  );
  const studio = await startServer(
    respondWith({ '/v1/models': { data: [{ id: 'qwen/qwen3-8b' }, { id: 'whisper-large-v3' }] } }),
  );
  expect(await findLocalModels({ addresses: { ollama, lm_studio: studio } })).toEqual({
    coaches: [
      { provider: 'ollama', model: 'llama3.3:latest' },
      { provider: 'lm_studio', model: 'qwen/qwen3-8b' },
    ],
    // The server lists the model but does not know the transcription path.
    transcribers: [],
  });
});

it('finds servers that transcribe', async () => {
  const listed = { '/v1/models': { data: [{ id: 'whisper-large-v3' }] } };
  const studio = await startServer(respondWith(listed, { transcribes: true }));
  expect((await findLocalModels({ addresses: { ollama: CLOSED_ADDRESS, lm_studio: studio } })).transcribers).toEqual([
    { provider: 'lm_studio', model: 'whisper-large-v3' },
  ]);
});

it('finds nothing at closed ports, other servers or silent ones', async () => {
  const nothing = { coaches: [], transcribers: [] };
  expect(await findLocalModels({ addresses: { ollama: CLOSED_ADDRESS, lm_studio: CLOSED_ADDRESS } })).toEqual(nothing);
  const page = await startServer((_request, response) => void response.end('<h1>It works!</h1>'));
  expect(await findLocalModels({ addresses: { ollama: page, lm_studio: page } })).toEqual(nothing);
  const silent = await startServer(() => undefined);
  expect(await findLocalModels({ addresses: { ollama: silent, lm_studio: silent }, timeoutMs: 50 })).toEqual(nothing);
  const elsewhere = await startServer(
    (_request, response) => void response.writeHead(302, { location: 'https://example.com' }).end(),
  );
  expect(await findLocalModels({ addresses: { ollama: elsewhere, lm_studio: elsewhere } })).toEqual(nothing);
});
