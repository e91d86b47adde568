/** Parameters of subscription schedules that are needed for price changes at the end of a period. */
import type { Stripe } from 'stripe';
import { expand } from './lists.ts';
import { metadata } from './metadata.ts';
import { clearable, objectOf, integer, listOf, required, enumOf, supportedValue, stringParam } from './param-schema.ts';
import { prorationBehavior } from './subscriptions.ts';

const endBehavior = supportedValue(['release', 'cancel'], { unmodelled: ['none', 'renew'] });

export const scheduleCreate = objectOf<Stripe.SubscriptionScheduleCreateParams>()({
  expand,
  from_subscription: stringParam,
  metadata: clearable(metadata),
});

const phaseItem = objectOf<Stripe.SubscriptionScheduleUpdateParams.Phase.Item>()({
  price: stringParam,
  quantity: integer,
});

const phase = objectOf<Stripe.SubscriptionScheduleUpdateParams.Phase>()({
  duration: objectOf<Stripe.SubscriptionScheduleUpdateParams.Phase.Duration>()({
    interval: required(enumOf('day', 'week', 'month', 'year')),
    interval_count: integer,
  }),
  end_date: integer,
  items: required(listOf(phaseItem)),
  metadata,
  proration_behavior: prorationBehavior,
  start_date: integer,
});

export const scheduleUpdate = objectOf<Stripe.SubscriptionScheduleUpdateParams>()({
  end_behavior: endBehavior,
  expand,
  metadata: clearable(metadata),
  phases: listOf(phase),
  proration_behavior: prorationBehavior,
});

export const scheduleRelease = objectOf<Stripe.SubscriptionScheduleReleaseParams>()({
  expand,
});
