/** Answers one call of the API: its key, its idempotency key, its route, its errors. */
import { createHash } from 'node:crypto';
import { Stripe } from 'stripe';
import { refuse, Refused } from '../refused.ts';
import { newId, type World } from '../world.ts';
import { catalogueRoutes } from './catalogue.ts';
import { checkoutRoutes } from './checkout.ts';
import { customerRoutes } from './customers.ts';
import { paymentRoutes } from './payments.ts';
import { answerCall } from './route.ts';
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

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function serveCall(world: World, call: ApiCall, { key }: { key: string }): ApiAnswer {
  const requestId = newId('req_');
  const refused = refuseKey(call.authorization, key);
  if (refused !== null) return errorAnswer(refused, requestId);
  const { idempotencyKey } = call;
  if (idempotencyKey === null || call.method !== 'POST') return run(world, call, requestId);
  const question = createHash('sha256').update(`${call.method} ${call.path}\n${call.body}`).digest('hex');
  const kept = world.state.answersByKey[idempotencyKey];
  if (kept === undefined) {
    const answer = run(world, call, requestId);
    // What was refused before it began may be put right and asked again under the same key.
    if (answer.status < 400 || answer.status === 402)
      world.state.answersByKey[idempotencyKey] = {
        requestId,
        question,
        status: answer.status,
        body: answer.body,
        atS: world.now(),
      };
    return { ...answer, headers: { ...answer.headers, 'idempotency-key': idempotencyKey } };
  }
  if (kept.question !== question)
    return errorAnswer(
      new Refused(400, {
        type: 'idempotency_error',
        message: `The idempotency key ${idempotencyKey} was first used with other parameters.`,
      }),
      requestId,
    );
  return {
    status: kept.status,
    body: kept.body,
    headers: {
      ...headersOf(requestId),
      'idempotency-key': idempotencyKey,
      'idempotent-replayed': 'true',
      'original-request': kept.requestId,
    },
  };
}

function run(world: World, call: ApiCall, requestId: string): ApiAnswer {
  world.asking = { requestId, idempotencyKey: call.idempotencyKey };
  try {
    const answer = answerCall(ROUTES, world, call);
    return { status: 200, headers: headersOf(requestId), body: JSON.stringify(answer, null, 2) };
  } catch (error) {
    if (error instanceof Refused) return errorAnswer(error, requestId);
    throw error;
  } finally {
    world.asking = null;
  }
}

function refuseKey(authorization: string | undefined, key: string): Refused | null {
  const given = keyOf(authorization ?? '');
  if (given === key) return null;
  const message =
    given === '' ? 'No API key was given.' : `Invalid API Key provided: ${given.slice(0, 8)}***${given.slice(-4)}`;
  return refuse(message, { status: 401 });
}

/** As a bearer, or as the name of basic authentication, as with `curl -u`. */
function keyOf(authorization: string): string {
  if (!authorization.startsWith('Basic ')) return authorization.replace(/^Bearer /, '');
  return Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')[0] ?? '';
}

export const errorAnswer = ({ status, body }: Refused, requestId = newId('req_')): ApiAnswer => ({
  status,
  headers: headersOf(requestId),
  body: JSON.stringify({ error: body }, null, 2),
});

const headersOf = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'request-id': requestId,
  'stripe-version': Stripe.API_VERSION,
});
