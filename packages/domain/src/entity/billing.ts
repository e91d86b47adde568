/** Plans and payments, mirrored from the provider. Money is stored in integer minor units. */
import { PLAN_TYPES, PRICING_INTERVALS, PRICING_TYPES, SUBSCRIPTION_STATUSES } from '../enumerations.ts';
import { LearnerId } from '../ids.ts';
import { entity } from './entity.ts';
import {
  anyId,
  boolean,
  enumeration,
  id,
  integer,
  nullable,
  references,
  text,
  time,
  unique,
  withInitial,
} from './field.ts';

const PROVIDER_ID_MAX_LENGTH = 255;

export const customers = entity({
  name: 'customers',
  key: 'id',
  owner: 'server',
  fields: {
    id: anyId(),
    customerId: unique(text(PROVIDER_ID_MAX_LENGTH)),
    userId: unique(references(id(LearnerId), 'users', 'userId')),
  },
});

export const products = entity({
  name: 'products',
  key: 'id',
  owner: 'catalogue',
  fields: {
    id: anyId(),
    productId: unique(text(PROVIDER_ID_MAX_LENGTH)),
    active: boolean(),
    name: text(200),
    description: nullable(text(2_000)),
    isTest: boolean(),
  },
});

export const prices = entity({
  name: 'prices',
  key: 'id',
  owner: 'catalogue',
  fields: {
    id: anyId(),
    priceId: unique(text(PROVIDER_ID_MAX_LENGTH)),
    productId: references(anyId(), 'products', 'id'),
    description: nullable(text(2_000)),
    unitAmount: integer(),
    /** ISO 4217, in lower case as the provider reports it. */
    currency: text(3),
    pricingType: enumeration('pricing_type', PRICING_TYPES),
    pricingPlanInterval: nullable(enumeration('pricing_interval', PRICING_INTERVALS)),
    intervalCount: nullable(integer(1)),
    type: enumeration('plan_type', PLAN_TYPES),
    isTest: boolean(),
  },
});

export const subscriptions = entity({
  name: 'subscriptions',
  key: 'subscriptionId',
  owner: 'account',
  fields: {
    subscriptionId: anyId(),
    userId: unique(references(id(LearnerId), 'users', 'userId')),
    planType: enumeration('plan_type', PLAN_TYPES),
    /** Seconds. */
    quota: integer(),
    /** Seconds: the allowance minus the total in the usage ledger. */
    remainingTime: integer(),
    cancelAt: nullable(time()),
    cancelAtPeriodEnd: withInitial(boolean(), false),
    canceledAt: nullable(time()),
    currentPeriodStart: nullable(time()),
    currentPeriodEnd: nullable(time()),
    endedAt: nullable(time()),
    priceId: nullable(references(anyId(), 'prices', 'id')),
    quantity: nullable(integer(1)),
    status: nullable(enumeration('subscription_status', SUBSCRIPTION_STATUSES)),
    providerSubscriptionId: nullable(unique(text(PROVIDER_ID_MAX_LENGTH))),
  },
});
