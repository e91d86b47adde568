/** Parameters that all lists share. */
import type { Stripe } from 'stripe';
import { refuse } from '../refused.ts';
import { either, fields, integer, listOf, type Shape, text } from './shape.ts';

const MAX_LIMIT = 100;

const limit: Shape<number> = {
  read: (value, path) => {
    const read = integer.read(value, path);
    if (read < 1 || read > MAX_LIMIT)
      throw refuse(`Invalid integer: ${read} is not between 1 and ${MAX_LIMIT}`, {
        code: 'parameter_invalid_integer',
        param: path,
      });
    return read;
  },
};

export const expand = listOf(text);
export const paging = { limit, starting_after: text, ending_before: text, expand };
export const range = either(
  integer,
  fields<Stripe.RangeQueryParam>()({ gt: integer, gte: integer, lt: integer, lte: integer }),
);
export const onlyExpand = fields<{ expand?: string[] }>()({ expand });
export const onlyPaging = fields<Stripe.PaginationParams & { expand?: string[] }>()(paging);
export const nothing = fields<Stripe.CustomerDeleteParams>()({});
