/** Parameters of subscription schedules: as much as a change of price at the end of a period needs. */
import type { Stripe } from 'stripe';
import { expand } from './lists.ts';
import { metadata } from './metadata.ts';
import { emptyable, fields, integer, listOf, needed, oneOf, someOf, text } from './shape.ts';
import { prorationBehavior } from './subscriptions.ts';

const endBehavior = someOf(['release', 'cancel'], { unmodelled: ['none', 'renew'] });

export const scheduleCreate = fields<Stripe.SubscriptionScheduleCreateParams>()({
  expand,
  from_subscription: text,
  metadata: emptyable(metadata),
});

const phaseItem = fields<Stripe.SubscriptionScheduleUpdateParams.Phase.Item>()({
  price: text,
  quantity: integer,
});

const phase = fields<Stripe.SubscriptionScheduleUpdateParams.Phase>()({
  duration: fields<Stripe.SubscriptionScheduleUpdateParams.Phase.Duration>()({
    interval: needed(oneOf('day', 'week', 'month', 'year')),
    interval_count: integer,
  }),
  end_date: integer,
  items: needed(listOf(phaseItem)),
  metadata,
  proration_behavior: prorationBehavior,
  start_date: integer,
});

export const scheduleUpdate = fields<Stripe.SubscriptionScheduleUpdateParams>()({
  end_behavior: endBehavior,
  expand,
  metadata: emptyable(metadata),
  phases: listOf(phase),
  proration_behavior: prorationBehavior,
});

export const scheduleRelease = fields<Stripe.SubscriptionScheduleReleaseParams>()({
  expand,
});
