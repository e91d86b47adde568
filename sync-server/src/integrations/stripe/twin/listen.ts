/** The twin's HTTP: its API under `/v1`, its pages beside it, and the script's mischief in between. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiAnswer, errorAnswer, serveCall } from './api/serve.ts';
import { decodeForm } from './form.ts';
import type { PageAnswer } from './pages/answer.ts';
import { checkoutPage } from './pages/checkout.ts';
import { html, page } from './pages/html.ts';
import { invoicePage } from './pages/invoice.ts';
import { portalPage } from './pages/portal.ts';
import { CARD_DECLINED, Refused } from './refused.ts';
import type { StepQueue, TwinAct, TwinCall } from './script.ts';
import type { World } from './world.ts';

interface Listening {
  world: World;
  key: string;
  steps: StepQueue;
  calls: TwinCall[];
  /** What was done is kept. */
  afterwards: () => void;
}

export function createListener(listening: Listening): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? '/', listening.world.url);
    const answering = url.pathname.startsWith('/v1/')
      ? answerApi(listening, { request, response, url })
      : answerPage(listening, { request, response, url });
    answering.catch((error: unknown) => {
      // A hole in the twin: whoever asked sees an error of Stripe's kind, and whoever develops sees where.
      console.error(error);
      if (response.headersSent) response.destroy();
      else send(response, errorAnswer(new Refused(500, { type: 'api_error', message: 'The twin failed.' })));
    });
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

async function answerApi(
  { world, key, steps, calls, afterwards }: Listening,
  { request, response, url }: Exchange,
): Promise<void> {
  const body = await readText(request);
  const { method = 'GET' } = request;
  const idempotencyKey = headerOf(request, 'idempotency-key') ?? null;
  const query = url.search.slice(1);
  const params = readable({ ...(query === '' ? {} : { query }), ...(body === '' ? {} : { body }) });
  const call: TwinCall = { method, path: url.pathname, params, idempotencyKey, status: null };
  calls.push(call);
  const act = steps.take(`${method} ${url.pathname}`);
  if (act.does === 'reject') return finish(call, response, rejection(act));
  if (act.does === 'garble')
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html>\n<p>Please sign in to the network.</p>\n');
  if ('when' in act && act.when === 'before') return leave(response, act);
  const authorization = request.headers.authorization;
  const answer = serveCall(world, { method, path: url.pathname, query, body, authorization, idempotencyKey }, { key });
  if (method !== 'GET') afterwards();
  if (act.does === 'answer_late') await sleep(act.ms, undefined, { ref: false });
  if ('when' in act) return leave(response, act);
  finish(call, response, answer);
}

const leave = (response: ServerResponse, { does }: TwinAct): void => {
  if (does === 'cut') response.destroy();
};

const finish = (call: TwinCall, response: ServerResponse, answer: ApiAnswer): void => {
  call.status = answer.status;
  send(response, answer);
};

function send(response: ServerResponse, { status, headers, body }: ApiAnswer): void {
  if (!response.destroyed) response.writeHead(status, headers).end(body);
}

function rejection(act: Extract<TwinAct, { does: 'reject' }>): ApiAnswer {
  const { status, code, message = `The twin was told to answer ${status}.`, retryAfterS } = act;
  const body =
    status === 402
      ? { type: 'card_error' as const, ...CARD_DECLINED, ...(code === undefined ? {} : { code }) }
      : {
          type: status >= 500 ? ('api_error' as const) : ('invalid_request_error' as const),
          message,
          ...(code === undefined ? (status === 429 ? { code: 'rate_limit' } : {}) : { code }),
        };
  const answer = errorAnswer(new Refused(status, body));
  return {
    ...answer,
    headers: { ...answer.headers, ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }) },
  };
}

/** For whoever looks at the calls; the route reads them again, and refuses what cannot be read. */
function readable(texts: { query?: string; body?: string }): unknown {
  try {
    return decodeForm([texts.query, texts.body].filter((text) => text !== undefined).join('&'));
  } catch {
    return null;
  }
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Such as a price that was withdrawn while somebody looked at it. */
function orRefusal(show: () => PageAnswer): PageAnswer {
  try {
    return show();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: 400, page: page('Not possible', html`<p class="alert" role="alert">${error.body.message}</p>`) };
  }
}

const PAGES = { checkout: checkoutPage, portal: portalPage, invoices: invoicePage };

async function answerPage({ world, afterwards }: Listening, { request, response, url }: Exchange): Promise<void> {
  const [, name = '', id = ''] = url.pathname.split('/');
  const show = Object.hasOwn(PAGES, name) ? PAGES[name as keyof typeof PAGES] : undefined;
  if (show === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
  const form = request.method === 'POST' ? new URLSearchParams(await readText(request)) : null;
  const answer = orRefusal(() => show({ world, id, form }));
  if (form !== null) afterwards();
  if ('redirect' in answer) return void response.writeHead(303, { location: answer.redirect }).end();
  response.writeHead(answer.status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
  });
  response.end(answer.page);
}
