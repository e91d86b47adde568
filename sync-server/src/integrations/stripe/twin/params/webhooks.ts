/** Parameters of events and of where they are sent. */
import { Stripe } from 'stripe';
import { expand, onlyPaging, paging, range } from './lists.ts';
import { metadata } from './metadata.ts';
import { emptyable, fields, listOf, needed, oneOf, type Shape, text } from './shape.ts';

/** Any name will do: what never happens is never sent. */
const eventName = text as Shape<Stripe.WebhookEndpointCreateParams.EnabledEvent>;

export const endpointCreate = fields<Stripe.WebhookEndpointCreateParams>()({
  enabled_events: needed(listOf(eventName)),
  url: needed(text),
  api_version: oneOf(Stripe.API_VERSION),
  description: emptyable(text),
  expand,
  metadata: emptyable(metadata),
});

export const endpointList = onlyPaging;

export const eventList = fields<Stripe.EventListParams>()({
  ...paging,
  created: range,
  type: text,
  types: listOf(text),
});
