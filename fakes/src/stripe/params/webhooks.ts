/** Parameters of events and webhook endpoints. */
import { Stripe } from 'stripe';
import { expand, onlyPaging, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { clearable, objectOf, listOf, required, enumOf, type ParamSchema, stringParam } from './param-schema.ts';

/** Any name is accepted, because an event that never happens is never sent. */
const eventName = stringParam as ParamSchema<Stripe.WebhookEndpointCreateParams.EnabledEvent>;

export const endpointCreate = objectOf<Stripe.WebhookEndpointCreateParams>()({
  enabled_events: required(listOf(eventName)),
  url: required(stringParam),
  api_version: enumOf(Stripe.API_VERSION),
  description: clearable(stringParam),
  expand,
  metadata: clearable(metadata),
});

export const endpointList = onlyPaging;

export const eventList = objectOf<Stripe.EventListParams>()({
  ...paging,
  created: range,
  type: stringParam,
  types: listOf(stringParam),
});
