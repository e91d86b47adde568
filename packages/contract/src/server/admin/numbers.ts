/** A school's statistics: how much is practised, how well, what it costs, and what is sold. */
import { PLAN_TYPES, PRICING_INTERVALS, PRICING_TYPES } from '@parley/domain';
import { z } from 'zod';
import { adminBase } from '../base.ts';
import { listRequest, listResult } from './list.ts';

/** A week begins on Monday in the school's time zone. */
const Week = z.strictObject({
  /** For example `2026-11-23`. */
  start: z.string(),
  /** How many learners spoke. */
  learners: z.number().int(),
  /** Finished practices. */
  practices: z.number().int(),
  minutes: z.number(),
  /** The median score; null when no practice was scored. */
  score: z.number().nullable(),
  /** Millionths of a US dollar. */
  costMicros: z.number(),
});
export type Week = z.infer<typeof Week>;

const AttentionItem = z.strictObject({
  kind: z.enum(['access', 'mail', 'payment', 'report', 'crash', 'post']),
  userId: z.uuid().nullable(),
  /** Set for a post, and for a report, where it is the practice's id. */
  contentId: z.uuid().optional(),
  /** Set for a payment: until when the plan continues; null when it has stopped. */
  planUntil: z.iso.datetime().nullable().optional(),
  /** Set for a report. */
  report: z
    .strictObject({
      reportId: z.uuid(),
      /** The step of the dialogue; null for a whole practice, and for a line of a language model. */
      node: z.string().nullable(),
      /** The coach's line; null for a whole practice. */
      line: z.string().nullable(),
    })
    .optional(),
  /**
   * A person's name, or the title of a post or a practice. Null if the mail's address has no account, and for crashes,
   * whose reports say nothing about their senders.
   */
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Why the item waits: the mail server's response, the plan, the learner's comment or the newest error. */
  detail: z.string().nullable(),
  since: z.iso.datetime(),
});
export type AttentionItem = z.infer<typeof AttentionItem>;

export const AdminHome = z.strictObject({
  learners: z.number().int(),
  /**
   * Oldest first, with at most five of each kind and all crashes together; `waiting` in the overview has the full
   * counts.
   */
  attention: z.array(AttentionItem),
  /** Eight weeks, oldest first; the last one is not over. */
  weeks: z.array(Week),
});
export type AdminHome = z.infer<typeof AdminHome>;

export const AdminNumbers = z.strictObject({
  weeks: z.array(Week),
  courses: z.array(
    z.strictObject({
      courseId: z.uuid(),
      title: z.string(),
      practices: z.number().int(),
      /** Learners who finished at least one of its practices. */
      began: z.number().int(),
      /** Learners who finished all of them. */
      finished: z.number().int(),
    }),
  ),
  /** Each group is part of the previous one. */
  conversion: z.strictObject({
    accounts: z.number().int(),
    withAccess: z.number().int(),
    practised: z.number().int(),
    paying: z.number().int(),
  }),
  cost: z.array(
    z.strictObject({
      day: z.string(),
      model: z.string(),
      calls: z.number().int(),
      costMicros: z.number(),
    }),
  ),
  /** Costs by day, oldest first: today and the 29 days before it, 0 for a day without costs. */
  costByDay: z.array(z.strictObject({ day: z.string(), costMicros: z.number() })),
});
export type AdminNumbers = z.infer<typeof AdminNumbers>;

const ProductRow = z.strictObject({
  productId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  isActive: z.boolean(),
  isTest: z.boolean(),
  /** Null for a product without a price. */
  price: z
    .strictObject({
      priceId: z.string(),
      /** What the school calls it at the provider. */
      description: z.string().nullable(),
      plan: z.enum(PLAN_TYPES),
      /** Only recurring prices are offered to learners. */
      pricingType: z.enum(PRICING_TYPES),
      unitAmount: z.number().int(),
      currency: z.string(),
      interval: z.enum(PRICING_INTERVALS).nullable(),
      /** A quarterly price has the interval `month` and the count 3. */
      intervalCount: z.number().int().min(1),
      /** Subscriptions that are paid or on trial now. */
      subscriptions: z.number().int(),
    })
    .nullable(),
});
export type ProductRow = z.infer<typeof ProductRow>;

const ProductsRequest = listRequest(['name', 'unitAmount', 'subscriptions']).extend({
  only: z.enum(['sold', 'not_sold']).optional(),
});
export type ProductsRequest = z.infer<typeof ProductsRequest>;

export const numbersContract = {
  home: adminBase
    .route({ method: 'POST', path: '/v1/admin/home', summary: 'What waits for a decision, and eight weeks' })
    .input(z.strictObject({}))
    .output(AdminHome),
  numbers: adminBase
    .route({ method: 'POST', path: '/v1/admin/numbers', summary: 'Practice, scores, courses and costs by week' })
    .input(z.strictObject({ weeks: z.union([z.literal(4), z.literal(12), z.literal(52)]) }))
    .output(AdminNumbers),
  products: adminBase
    .route({ method: 'POST', path: '/v1/admin/products', summary: 'A page of the prices, as mirrored here' })
    .input(ProductsRequest)
    .output(listResult(ProductRow)),
};
