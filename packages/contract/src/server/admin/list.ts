/** The query and the page of every list in the admin panel: searching, sorting and paging happen on the server. */
import { z } from 'zod';
import { toStorableText } from '../../storable.ts';

export const MAX_LIST_PAGE_SIZE = 500;

/** Characters that no row can contain match nothing, and PostgreSQL would refuse them. */
export const SearchText: z.ZodDefault<z.ZodString> = z.string().overwrite(toStorableText).trim().max(200).default('');

/** `sorts` are the columns that have an index; the first one is the default. */
export const listRequest = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) =>
  z.strictObject({
    search: SearchText,
    sort: z.enum(sorts).default(sorts[0] as z.util.NoUndefined<Sorts[number]>),
    direction: z.enum(['asc', 'desc']).default('asc'),
    /** Pages are counted from 0. */
    page: z.number().int().min(0).max(1_000_000).default(0),
    pageSize: z.number().int().min(1).max(MAX_LIST_PAGE_SIZE).default(50),
  });

export const listResult = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    /** How many rows match, on all pages. */
    total: z.number().int().min(0),
    rows: z.array(row),
  });
