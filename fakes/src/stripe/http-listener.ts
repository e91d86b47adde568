/** The fake's HTTP server: the API under `/v1`, the hosted pages, and scripted failures. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiResponse, errorResponse, handleApiCall, keepAnswer } from './api/handle-api-call.ts';
import { decodeForm } from './form.ts';
import type { PageResponse } from './pages/page-response.ts';
import { checkoutPage } from './pages/checkout.ts';
import { html, renderPage } from './pages/html.ts';
import { invoicePage } from './pages/invoice.ts';
import { portalPage } from './pages/portal.ts';
import { CARD_DECLINED, ApiError } from './api-error.ts';
import type { StepQueue, ScriptedBehaviour, RecordedCall } from './script.ts';
import type { StripeStore } from './store.ts';

interface ListenerOptions {
  store: StripeStore;
  key: string;
  steps: StepQueue;
  calls: RecordedCall[];
  /** Saves the state. */
  onChanged: () => void;
}

export function createListener(options: ListenerOptions): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? '/', options.store.url);
    const handling = url.pathname.startsWith('/v1/')
      ? answerApi(options, { request, response, url })
      : answerPage(options, { request, response, url });
    handling.catch((error: unknown) => {
      // A bug in the fake: the client gets an error of Stripe's kind, and the log shows the cause.
      console.error(error);
      if (response.headersSent) response.destroy();
      else send(response, errorResponse(new ApiError(500, { type: 'api_error', message: 'The fake failed.' })));
    });
  };
}

interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

async function answerApi(
  { store, key, steps, calls, onChanged }: ListenerOptions,
  { request, response, url }: HttpExchange,
): Promise<void> {
  const body = await readText(request);
  const { method = 'GET' } = request;
  const idempotencyKey = readHeader(request, 'idempotency-key') ?? null;
  const query = url.search.slice(1);
  const params = parseParams({ ...(query === '' ? {} : { query }), ...(body === '' ? {} : { body }) });
  const call: RecordedCall = { method, path: url.pathname, params, idempotencyKey, status: null };
  calls.push(call);
  const behaviour = steps.take(`${method} ${url.pathname}`);
  const authorization = request.headers.authorization;
  const apiCall = { method, path: url.pathname, query, body, authorization, idempotencyKey };
  if (behaviour.does === 'reject') {
    const rejection = scriptedError(behaviour);
    if (behaviour.isKept === true) keepAnswer(store, apiCall, rejection);
    return sendRecorded(call, response, rejection);
  }
  if (behaviour.does === 'garble')
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html>\n<p>Please sign in to the network.</p>\n');
  if ('when' in behaviour && behaviour.when === 'before') return dropConnection(response, behaviour);
  const answer = handleApiCall(store, apiCall, { key });
  if (method !== 'GET') onChanged();
  if (behaviour.does === 'answer_late') await sleep(behaviour.ms, undefined, { ref: false });
  if ('when' in behaviour) return dropConnection(response, behaviour);
  sendRecorded(call, response, answer);
}

const dropConnection = (response: ServerResponse, { does }: ScriptedBehaviour): void => {
  if (does === 'cut') response.destroy();
};

const sendRecorded = (call: RecordedCall, response: ServerResponse, answer: ApiResponse): void => {
  call.status = answer.status;
  send(response, answer);
};

function send(response: ServerResponse, { status, headers, body }: ApiResponse): void {
  if (!response.destroyed) response.writeHead(status, headers).end(body);
}

function scriptedError(behaviour: Extract<ScriptedBehaviour, { does: 'reject' }>): ApiResponse {
  const { status, code, message = `The fake was told to answer ${status}.`, retryAfterS } = behaviour;
  const body =
    status === 402
      ? { type: 'card_error' as const, ...CARD_DECLINED, ...(code === undefined ? {} : { code }) }
      : {
          type: status >= 500 ? ('api_error' as const) : ('invalid_request_error' as const),
          message,
          ...(code === undefined ? (status === 429 ? { code: 'rate_limit' } : {}) : { code }),
        };
  const answer = errorResponse(new ApiError(status, body));
  return {
    ...answer,
    headers: { ...answer.headers, ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }) },
  };
}

/** For the recorded call only; the route decodes the parameters again and rejects invalid ones. */
function parseParams(texts: { query?: string; body?: string }): unknown {
  try {
    return decodeForm([texts.query, texts.body].filter((text) => text !== undefined).join('&'));
  } catch {
    return null;
  }
}

const readHeader = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** For example, a price was withdrawn while its page was open. */
function orErrorPage(pageHandler: () => PageResponse): PageResponse {
  try {
    return pageHandler();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      status: 400,
      page: renderPage('Not possible', html`<p class="alert" role="alert">${error.body.message}</p>`),
    };
  }
}

const PAGES = { checkout: checkoutPage, portal: portalPage, invoices: invoicePage };

async function answerPage(
  { store, onChanged }: ListenerOptions,
  { request, response, url }: HttpExchange,
): Promise<void> {
  const [, name = '', id = ''] = url.pathname.split('/');
  const pageHandler = Object.hasOwn(PAGES, name) ? PAGES[name as keyof typeof PAGES] : undefined;
  if (pageHandler === undefined)
    return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
  const form = request.method === 'POST' ? new URLSearchParams(await readText(request)) : null;
  const answer = orErrorPage(() => pageHandler({ store, id, form }));
  if (form !== null) onChanged();
  if ('redirect' in answer) return void response.writeHead(303, { location: answer.redirect }).end();
  response.writeHead(answer.status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
  });
  response.end(answer.page);
}
