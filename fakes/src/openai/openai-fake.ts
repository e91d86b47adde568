/** Starts a server that speaks OpenAI's protocol to the real client and fails when its script says so. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AttachedRealtimeFake,
  type AttachedRealtimeFakeOptions,
  attachRealtimeFake,
} from '../openai-realtime/index.ts';
import { type RecordedModelRequest } from './model-answer.ts';
import { createDialect, errorBody, type DialectName, type FakeModelOptions } from '../openai-compatible/dialects.ts';
import { prepareSchemas } from './schemas/index.ts';
import { createError, type FakeErrorResponse } from './errors.ts';
import { createModelLoader, type LoadOptions, type ModelLoader } from '../openai-compatible/model-loader.ts';
import { play, playError } from './play.ts';
import { readBody } from './read-body.ts';
import { createRoutes } from './routes.ts';
import { StepQueue, type RecordedCall, type UnsupportedFeatures, type ScriptStep } from './script.ts';

const HOST = '127.0.0.1';

export interface OpenAiFakeOptions {
  /** Defaults to any free port. */
  port?: number;
  key?: string;
  /** Called for each request when no queued step is left. */
  script?: (call: RecordedCall) => ScriptStep | undefined;
  lacks?: UnsupportedFeatures;
  /** The server to imitate, OpenAI by default; each rejects and ignores what the real one does. */
  dialect?: DialectName;
  /** Behaviour of a self-hosted server's model. */
  model?: FakeModelOptions;
  /** Simulates the loading of a model, as with Ollama. */
  load?: LoadOptions;
  /** Names of the available models; any model when absent. */
  models?: readonly string[];
  /** Pause between two events, for a person who watches. */
  paceMs?: number;
  /** Also answers the Realtime protocol at this address, as OpenAI does; not by default. */
  realtime?: AttachedRealtimeFakeOptions;
}

export interface OpenAiFake {
  /** Includes `/v1`, as `OPENAI_BASE_URL` expects. */
  url: string;
  key: string;
  /** Received requests, oldest first. */
  calls: readonly RecordedCall[];
  /** Number of connections so far. */
  connectionCount: () => number;
  /** Requests as the model saw them, oldest first. */
  modelRequests: readonly RecordedModelRequest[];
  loadCounts: ModelLoader['counts'];
  /** Queues behaviour for the next requests, one step each. */
  play: (...steps: ScriptStep[]) => void;
  /** Null unless the options enable it. */
  realtime: Pick<AttachedRealtimeFake, 'script' | 'sessions' | 'secretRequests'> | null;
  close: () => Promise<void>;
}

export async function startOpenAiFake(options: OpenAiFakeOptions = {}): Promise<OpenAiFake> {
  const { port = 0, key = 'fake-key', script, lacks = {}, paceMs = 0, models = null } = options;
  const dialect = createDialect(options.dialect ?? 'openai', options.model);
  if (dialect.isChecked) prepareSchemas(USED_SCHEMAS);
  const loader = createModelLoader(options.load ?? { loadMs: 0, keepAliveMs: 0 });
  const modelRequests: RecordedModelRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  const realtime = options.realtime === undefined ? null : attachRealtimeFake({ server, key }, options.realtime);
  const calls: { -readonly [Field in keyof RecordedCall]: RecordedCall[Field] }[] = [];
  const queue = new StepQueue();
  const route = createRoutes({ dialect, lacks, models, realtime });
  const sendError = (response: ServerResponse, error: FakeErrorResponse): void =>
    playError(response, error, errorBody(dialect.name, error));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const clientGone = new AbortController();
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
      clientGone.abort();
    });
    if (!dialect.isKeyless && request.headers.authorization !== `Bearer ${key}`)
      return sendError(response, createError(401, { message: 'Incorrect API key provided.' }));
    if (body === null)
      return sendError(response, createError(400, { message: 'We could not parse the body of your request.' }));
    const planned = route(call);
    if ('error' in planned) return sendError(response, planned);
    const { request: modelRequest } = planned;
    if (modelRequest !== null) modelRequests.push(modelRequest);
    const act = planned.isScripted ? (queue.take() ?? script?.(call) ?? ANSWER) : ANSWER;
    if (act.does === 'reject') return sendError(response, createError(act.status, act));
    const ignoreIfClientGone = (error: unknown): void => {
      // The client has disconnected, which also aborts the pauses between the chunks.
      if (!clientGone.signal.aborted) throw error;
    };
    if (modelRequest !== null) await loader.loaded(clientGone.signal).catch(ignoreIfClientGone);
    if (clientGone.signal.aborted) return;
    await play(response, planned.frames(act), { act, paceMs, signal: clientGone.signal }).catch(ignoreIfClientGone);
    // The fake, not the client, ended this connection.
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
    modelRequests,
    loadCounts: loader.counts,
    play: (...steps) => queue.add(steps),
    realtime,
    close: async () => {
      realtime?.disconnectAll();
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
const ANSWER: ScriptStep = { does: 'answer' };
