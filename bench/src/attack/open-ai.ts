/** A stand-in for OpenAI that the server under attack calls. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { startOpenAiTwin } from '../../../sync-server/src/integrations/openai/twin/index.ts';
import type { Services } from './attack.ts';

const MODELS = {
  OPENAI_MODEL: 'gpt-5-mini',
  OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-mini-transcribe',
  OPENAI_VOICE_MODEL: 'gpt-4o-mini-tts',
};
const SAID = 'I have a problem with my file.';

export async function startOpenAi(): Promise<Services> {
  const twin = await startOpenAiTwin({ script: () => ({ does: 'answer', text: SAID }) });
  return {
    environment: { ...MODELS, AI_QUOTA: 'plans', OPENAI_API_KEY: twin.key, OPENAI_BASE_URL: twin.url },
    close: twin.close,
  };
}

/** Under a name of the internet, since what runs on this machine costs nothing. The name leads to the stand-in through a proxy. */
export async function startPaidOpenAi(): Promise<Services> {
  const twin = await startOpenAiTwin();
  const sockets = new Set<Socket>();
  const proxy = createServer().on('connect', (_request: IncomingMessage, client: Socket) => {
    const upstream = connect(Number(new URL(twin.url).port), '127.0.0.1', () =>
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
      // So that nothing limits a learner but the budget of all.
      AI_QUOTA: 'off',
      OPENAI_API_KEY: twin.key,
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
      await twin.close();
    },
  };
}
