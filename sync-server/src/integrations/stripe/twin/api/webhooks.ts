/** Events, and where they are sent. */
import { nothing } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { Read } from '../params/shape.ts';
import { endpointCreate, endpointList, eventList } from '../params/webhooks.ts';
import { refuse } from '../refused.ts';
import type { WebhookEndpointObject } from '../state/resources.ts';
import { newId, type World } from '../world.ts';
import { isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const webhookRoutes = [
  route('GET /v1/events', eventList, (world, params) =>
    newestPage(
      world.all('event').filter(({ type, created }) => isAsked(type, params) && isWithin(created, params.created)),
      params,
      '/v1/events',
    ),
  ),
  route('POST /v1/webhook_endpoints', endpointCreate, (world, params) => {
    const endpoint = addEndpoint(world, params);
    // Shown once, at its creation.
    return { ...endpoint, secret: world.state.webhookSecrets[endpoint.id] };
  }),
  route('GET /v1/webhook_endpoints', endpointList, (world, params) =>
    newestPage(world.all('webhook_endpoint'), params, '/v1/webhook_endpoints'),
  ),
  route('DELETE /v1/webhook_endpoints/:id', nothing, (world, _, id) => {
    world.get('webhook_endpoint', id);
    delete world.state.tables.webhook_endpoint[id];
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];

function isAsked(name: string, { type, types }: Read<typeof eventList>): boolean {
  if (type !== undefined && types !== undefined) throw refuse('Only one of type and types can be given.');
  const wanted = types ?? (type === undefined ? ['*'] : [type]);
  return wanted.some((pattern) => matchesEvent(pattern, name));
}

/** `*` at the end stands for anything. */
export const matchesEvent = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;

export function addEndpoint(
  world: World,
  params: Pick<Read<typeof endpointCreate>, 'url' | 'enabled_events' | 'description' | 'metadata' | 'api_version'>,
  secret: string = newId('whsec_'),
): WebhookEndpointObject {
  const { description = '' } = params;
  if (!/^https?:\/\//.test(params.url))
    throw refuse(`Not a valid URL: ${params.url}`, { code: 'url_invalid', param: 'url' });
  const endpoint: WebhookEndpointObject = {
    id: newId('we_'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: null,
    created: world.now(),
    description: description === '' ? null : description,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    status: 'enabled',
    url: params.url,
  };
  world.state.webhookSecrets[endpoint.id] = secret;
  return world.add('webhook_endpoint', endpoint);
}
