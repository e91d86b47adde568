/** A server that, like Ollama, sends no byte until its model is loaded and stops loading when the client that asked disconnects. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoadingServer {
  /** Includes `/v1`. */
  url: string;
  /** Requested paths, oldest first. */
  paths: readonly string[];
  /** Resolves when the first request has arrived. */
  firstRequest: Promise<void>;
  /** How often a client disconnected while it waited for the load. */
  abortedLoads: () => number;
  finishLoading: () => void;
  /** Sets the answer of later requests over Responses. */
  setReply: (reply: string) => void;
  close: () => Promise<void>;
}

export interface LoadingServerOptions {
  /** Answers 503 until the model is loaded, as llama.cpp does. */
  answersWhileLoading?: boolean;
}

export async function startLoadingServer(options: LoadingServerOptions = {}): Promise<LoadingServer> {
  const { answersWhileLoading = false } = options;
  let reply = 'Good morning.';
  let isLoaded = false;
  let abortedLoads = 0;
  const waiting = new Set<() => void>();
  const paths: string[] = [];
  const firstRequest = Promise.withResolvers<void>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const _ of request) continue;
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    paths.push(path);
    firstRequest.resolve();
    if (!isLoaded && answersWhileLoading) return json(response, 503, STILL_LOADING);
    if (!isLoaded) await waitForLoad(response);
    if (path.endsWith('/chat/completions')) return json(response, 200, ONE_WORD);
    response.setHeader('content-type', 'text/event-stream');
    for (const event of [
      { type: 'response.output_text.delta', delta: reply },
      { type: 'response.completed', response: {} },
    ])
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  }

  async function waitForLoad(response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!isLoaded) abortedLoads += 1;
    });
    await new Promise<void>((resolve) => waiting.add(resolve));
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    paths,
    firstRequest: firstRequest.promise,
    abortedLoads: () => abortedLoads,
    finishLoading: () => {
      isLoaded = true;
      for (const resumeLoad of waiting) resumeLoad();
    },
    setReply: (next) => {
      reply = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const STILL_LOADING = { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } };
const ONE_WORD = { choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'length' }] };

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
