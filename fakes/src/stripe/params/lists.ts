/** Parameters that all lists share. */
import type { Stripe } from 'stripe';
import { invalidRequest } from '../api-error.ts';
import { either, objectOf, integer, listOf, type ParamSchema, stringParam } from './param-schema.ts';

const MAX_LIMIT = 100;

const limit: ParamSchema<number> = {
  read: (value, path) => {
    const read = integer.read(value, path);
    if (read < 1 || read > MAX_LIMIT)
      throw invalidRequest(`Invalid integer: ${read} is not between 1 and ${MAX_LIMIT}`, {
        code: 'parameter_invalid_integer',
        param: path,
      });
    return read;
  },
};

export const expand = listOf(stringParam);
export const paging = { limit, starting_after: stringParam, ending_before: stringParam, expand };
export const range = either(
  integer,
  objectOf<Stripe.RangeQueryParam>()({ gt: integer, gte: integer, lt: integer, lte: integer }),
);
export const onlyExpand = objectOf<{ expand?: string[] }>()({ expand });
export const onlyPaging = objectOf<Stripe.PaginationParams & { expand?: string[] }>()(paging);
export const nothing = objectOf<Stripe.CustomerDeleteParams>()({});
