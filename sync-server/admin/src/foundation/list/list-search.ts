/** The state of a list, kept in the address so that a list can be linked to and the Back button works. */
import { z } from 'zod';

const MAX_SEARCH_LENGTH = 200;
export const PAGE_SIZE = 50;

/** Invalid values in an address are ignored, because links are typed and shortened. */
export const listSearch = <const Filters extends Readonly<Record<string, z.ZodType>>>(filters: Filters) =>
  z.object({
    search: z.string().max(MAX_SEARCH_LENGTH).optional().catch(undefined),
    sort: z.string().max(60).optional().catch(undefined),
    direction: z.enum(['asc', 'desc']).optional().catch(undefined),
    /** Pages are counted from 1. */
    page: z.number().int().min(1).max(1_000_000).optional().catch(undefined),
    ...filters,
  });

/** The number of pages of a list; an empty list still has one. */
export const pagesOf = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

/** The page to go to if rows were removed and the page in the address no longer exists; null if it still does. */
export const lastPageBefore = (page: number, total: number): number | null =>
  total > 0 && page > pagesOf(total) ? pagesOf(total) : null;

export interface ListState {
  search?: string | undefined;
  sort?: string | undefined;
  direction?: 'asc' | 'desc' | undefined;
  page?: number | undefined;
}
