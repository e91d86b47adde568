/** Starts the OpenAI fake for the server under attack. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { startOpenAiFake } from '@parley/fakes/openai/index.ts';
import type { Services } from './attack.ts';

const MODELS = {
  OPENAI_MODEL: 'gpt-5-mini',
  OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-mini-transcribe',
  OPENAI_VOICE_MODEL: 'gpt-4o-mini-tts',
};
const REPLY = 'I have a problem with my file.';

export async function startFakeOpenAi(): Promise<Services> {
  const fake = await startOpenAiFake({ script: () => ({ does: 'answer', text: REPLY }) });
  return {
    environment: { ...MODELS, AI_QUOTA: 'plans', OPENAI_API_KEY: fake.key, OPENAI_BASE_URL: fake.url },
    close: fake.close,
  };
}

/** Uses a remote host name, because calls to a local model are free of charge. A proxy directs the name to the fake. */
export async function startRemoteFakeOpenAi(): Promise<Services> {
  const fake = await startOpenAiFake();
  const sockets = new Set<Socket>();
  const proxy = createServer().on('connect', (_request: IncomingMessage, client: Socket) => {
    const upstream = connect(Number(new URL(fake.url).port), '127.0.0.1', () =>
      client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    );
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.pipe(upstream).pipe(client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    environment: {
      ...MODELS,
      // Quotas are off, so that only the budget of the whole server limits a learner.
      AI_QUOTA: 'off',
      OPENAI_API_KEY: fake.key,
      OPENAI_BASE_URL: 'http://models.invalid/v1',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: `http://127.0.0.1:${port}`,
      http_proxy: `http://127.0.0.1:${port}`,
      NO_PROXY: '',
      no_proxy: '',
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await fake.close();
    },
  };
}
