/** Handles one API request: its key, its idempotency key, its route and its errors. */
import { createHash } from 'node:crypto';
import { Stripe } from 'stripe';
import { invalidRequest, ApiError } from '../api-error.ts';
import { newId, type StripeStore } from '../store.ts';
import { catalogueRoutes } from './catalogue.ts';
import { checkoutRoutes } from './checkout.ts';
import { customerRoutes } from './customers.ts';
import { paymentRoutes } from './payments.ts';
import { dispatchCall } from './route.ts';
import { scheduleRoutes } from './schedules.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { webhookRoutes } from './webhooks.ts';

const ROUTES = [
  ...catalogueRoutes,
  ...customerRoutes,
  ...subscriptionRoutes,
  ...scheduleRoutes,
  ...paymentRoutes,
  ...checkoutRoutes,
  ...webhookRoutes,
];

export interface ApiCall {
  method: string;
  path: string;
  query: string;
  body: string;
  authorization: string | undefined;
  idempotencyKey: string | null;
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function handleApiCall(store: StripeStore, call: ApiCall, { key }: { key: string }): ApiResponse {
  const requestId = newId('req_');
  const keyError = checkKey(call.authorization, key);
  if (keyError !== null) return errorResponse(keyError, requestId);
  const { idempotencyKey } = call;
  if (idempotencyKey === null || call.method !== 'POST') return execute(store, call, requestId);
  const storedAnswer = store.state.answersByKey[idempotencyKey];
  if (storedAnswer === undefined) {
    const answer = execute(store, call, requestId);
    // A request that was rejected before it started can be corrected and sent again under the same key.
    if (answer.status < 400 || answer.status === 402) keepAnswer(store, call, answer);
    return { ...answer, headers: { ...answer.headers, 'idempotency-key': idempotencyKey } };
  }
  if (storedAnswer.question !== fingerprintOf(call))
    return errorResponse(
      new ApiError(400, {
        type: 'idempotency_error',
        message: `The idempotency key ${idempotencyKey} was first used with other parameters.`,
      }),
      requestId,
    );
  return {
    status: storedAnswer.status,
    body: storedAnswer.body,
    headers: {
      ...responseHeaders(requestId),
      'idempotency-key': idempotencyKey,
      'idempotent-replayed': 'true',
      'original-request': storedAnswer.requestId,
    },
  };
}

/** Keeps the response of a call for those that repeat its idempotency key. */
export function keepAnswer(store: StripeStore, call: ApiCall, { status, headers, body }: ApiResponse): void {
  if (call.idempotencyKey === null) return;
  store.state.answersByKey[call.idempotencyKey] = {
    requestId: headers['request-id'] ?? '',
    question: fingerprintOf(call),
    status,
    body,
    atS: store.currentFields(),
  };
}

const fingerprintOf = ({ method, path, body }: ApiCall): string =>
  createHash('sha256').update(`${method} ${path}\n${body}`).digest('hex');

function execute(store: StripeStore, call: ApiCall, requestId: string): ApiResponse {
  store.requestOrigin = { requestId, idempotencyKey: call.idempotencyKey };
  try {
    const answer = dispatchCall(ROUTES, store, call);
    return { status: 200, headers: responseHeaders(requestId), body: JSON.stringify(answer, null, 2) };
  } catch (error) {
    if (error instanceof ApiError) return errorResponse(error, requestId);
    throw error;
  } finally {
    store.requestOrigin = null;
  }
}

function checkKey(authorization: string | undefined, key: string): ApiError | null {
  const given = readKey(authorization ?? '');
  if (given === key) return null;
  const message =
    given === '' ? 'No API key was given.' : `Invalid API Key provided: ${given.slice(0, 8)}***${given.slice(-4)}`;
  return invalidRequest(message, { status: 401 });
}

/** The key is a bearer token or the user name of basic authentication, as with `curl -u`. */
function readKey(authorization: string): string {
  if (!authorization.startsWith('Basic ')) return authorization.replace(/^Bearer /, '');
  return Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')[0] ?? '';
}

export const errorResponse = ({ status, body }: ApiError, requestId = newId('req_')): ApiResponse => ({
  status,
  headers: responseHeaders(requestId),
  body: JSON.stringify({ error: body }, null, 2),
});

const responseHeaders = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'request-id': requestId,
  'stripe-version': Stripe.API_VERSION,
});
