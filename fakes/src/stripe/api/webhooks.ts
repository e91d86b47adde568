/** The API of events and webhook endpoints. */
import { nothing } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import { endpointCreate, endpointList, eventList } from '../params/webhooks.ts';
import { invalidRequest } from '../api-error.ts';
import type { WebhookEndpointObject } from '../state/resources.ts';
import { newId, type StripeStore } from '../store.ts';
import { isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const webhookRoutes = [
  route('GET /v1/events', eventList, (store, params) =>
    newestPage(
      store
        .all('event')
        .filter(({ type, created }) => matchesFilter(type, params) && isWithin(created, params.created)),
      params,
      '/v1/events',
    ),
  ),
  route('POST /v1/webhook_endpoints', endpointCreate, (store, params) => {
    const endpoint = addEndpoint(store, params);
    // Stripe returns the secret only once, at creation.
    return { ...endpoint, secret: store.state.webhookSecrets[endpoint.id] };
  }),
  route('GET /v1/webhook_endpoints', endpointList, (store, params) =>
    newestPage(store.all('webhook_endpoint'), params, '/v1/webhook_endpoints'),
  ),
  route('DELETE /v1/webhook_endpoints/:id', nothing, (store, _, id) => {
    store.get('webhook_endpoint', id);
    delete store.state.tables.webhook_endpoint[id];
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];

function matchesFilter(name: string, { type, types }: ParamsOf<typeof eventList>): boolean {
  if (type !== undefined && types !== undefined) throw invalidRequest('Only one of type and types can be given.');
  const wanted = types ?? (type === undefined ? ['*'] : [type]);
  return wanted.some((pattern) => matchesEvent(pattern, name));
}

/** A trailing `*` matches anything. */
export const matchesEvent = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;

export function addEndpoint(
  store: StripeStore,
  params: Pick<ParamsOf<typeof endpointCreate>, 'url' | 'enabled_events' | 'description' | 'metadata' | 'api_version'>,
  secret: string = newId('whsec_'),
): WebhookEndpointObject {
  const { description = '' } = params;
  if (!/^https?:\/\//.test(params.url))
    throw invalidRequest(`Not a valid URL: ${params.url}`, { code: 'url_invalid', param: 'url' });
  const endpoint: WebhookEndpointObject = {
    id: newId('we_'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: null,
    created: store.currentFields(),
    description: description === '' ? null : description,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    status: 'enabled',
    url: params.url,
  };
  store.state.webhookSecrets[endpoint.id] = secret;
  return store.add('webhook_endpoint', endpoint);
}
