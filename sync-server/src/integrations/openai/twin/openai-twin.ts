/** A server that speaks OpenAI's protocol well enough for its real client, and fails when it is told to. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HostedRealtimeTwin, type HostedTwinOptions, hostRealtimeTwin } from '../realtime/twin/index.ts';
import { type TwinQuestion } from './answer.ts';
import { dialectOf, errorBody, type TwinDialect, type TwinModel } from './dialect.ts';
import { prepareSchemas } from '../schemas/index.ts';
import { errorOf, type TwinError } from './errors.ts';
import { createModelLoader, type LoadOptions, type ModelLoader } from './load-model.ts';
import { play, playError } from './play.ts';
import { readBody } from './read-body.ts';
import { createRoutes } from './routes.ts';
import { StepQueue, type TwinCall, type TwinLacks, type TwinStep } from './script.ts';

const HOST = '127.0.0.1';

export interface OpenAiTwinOptions {
  /** A free one where none is given. */
  port?: number;
  key?: string;
  /** Asked for each call that no given step is left for. */
  script?: (call: TwinCall) => TwinStep | undefined;
  lacks?: TwinLacks;
  /** Which server it stands for, OpenAI by default; each refuses and ignores what the real one does. */
  dialect?: TwinDialect;
  /** What the model of a server of one's own does. */
  model?: TwinModel;
  /** How long a model takes to load, as with Ollama. */
  load?: LoadOptions;
  /** The models that it serves; any where none are named. */
  models?: readonly string[];
  /** Between two events, for a person who watches. */
  paceMs?: number;
  /** Answers Realtime at the same address too, as OpenAI does; where nothing is said, nobody does. */
  realtime?: HostedTwinOptions;
}

export interface OpenAiTwin {
  /** With `/v1`, as `OPENAI_BASE_URL` wants it. */
  url: string;
  key: string;
  /** What was asked, oldest first. */
  calls: readonly TwinCall[];
  /** How often somebody connected. */
  connectionCount: () => number;
  /** What the model was shown, oldest first. */
  shown: readonly TwinQuestion[];
  loads: ModelLoader['counts'];
  /** What the next calls that a script can answer get, one step each. */
  play: (...steps: TwinStep[]) => void;
  /** Null where none was wished for. */
  realtime: Pick<HostedRealtimeTwin, 'script' | 'sessions' | 'secretsAsked'> | null;
  close: () => Promise<void>;
}

export async function startOpenAiTwin(options: OpenAiTwinOptions = {}): Promise<OpenAiTwin> {
  const { port = 0, key = 'twin-key', script, lacks = {}, paceMs = 0, models = null } = options;
  const dialect = dialectOf(options.dialect ?? 'openai', options.model);
  if (dialect.isChecked) prepareSchemas(USED_SCHEMAS);
  const loader = createModelLoader(options.load ?? { loadMs: 0, keepAliveMs: 0 });
  const shown: TwinQuestion[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  const realtime = options.realtime === undefined ? null : hostRealtimeTwin({ server, key }, options.realtime);
  const calls: { -readonly [Field in keyof TwinCall]: TwinCall[Field] }[] = [];
  const queue = new StepQueue();
  const route = createRoutes({ dialect, lacks, models, realtime });
  const refuse = (response: ServerResponse, error: TwinError): void =>
    playError(response, error, errorBody(dialect.name, error));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const body = await readBody(request);
    const { pathname } = new URL(request.url ?? '/', `http://${HOST}`);
    const call: (typeof calls)[number] = {
      method: request.method ?? '',
      path: pathname,
      body: body ?? {},
      state: 'open',
    };
    calls.push(call);
    response.on('close', () => {
      if (call.state === 'open') call.state = response.writableFinished ? 'answered' : 'hung_up';
      gone.abort();
    });
    if (!dialect.isKeyless && request.headers.authorization !== `Bearer ${key}`)
      return refuse(response, errorOf(401, { message: 'Incorrect API key provided.' }));
    if (body === null)
      return refuse(response, errorOf(400, { message: 'We could not parse the body of your request.' }));
    const answering = route(call);
    if ('error' in answering) return refuse(response, answering);
    const { question } = answering;
    if (question !== null) shown.push(question);
    const act = answering.isScripted ? (queue.take() ?? script?.(call) ?? ANSWER) : ANSWER;
    if (act.does === 'reject') return refuse(response, errorOf(act.status, act));
    const isGone = (error: unknown): void => {
      // The client is gone, and with it the pauses between the pieces.
      if (!gone.signal.aborted) throw error;
    };
    if (question !== null) await loader.loaded(gone.signal).catch(isGone);
    if (gone.signal.aborted) return;
    await play(response, answering.frames(act), { act, paceMs, signal: gone.signal }).catch(isGone);
    // It was not the asker who hung up.
    if (act.does === 'cut') call.state = 'answered';
  }

  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/v1`,
    key,
    calls,
    connectionCount: () => connections,
    shown,
    loads: loader.counts,
    play: (...steps) => queue.add(steps),
    realtime,
    close: async () => {
      realtime?.hangUp();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const USED_SCHEMAS = {
  names: ['CreateResponse', 'Response', 'CreateChatCompletionRequest', 'CreateChatCompletionStreamResponse'],
  unions: ['ResponseStreamEvent'],
};
const ANSWER: TwinStep = { does: 'answer' };
