/** Pages of a list, newest first. */
import { invalidRequest } from '../api-error.ts';
import type { ListOf } from '../state/resources.ts';

interface Paging {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

const DEFAULT_LIMIT = 10;

/** `oldestFirst` is the order in which the fake stores objects. */
export function newestPage<T extends { id: string }>(
  oldestFirst: readonly T[],
  paging: Paging,
  url: string,
): ListOf<T> {
  return pageOf(oldestFirst.toReversed(), paging, url);
}

export function pageOf<T extends { id: string }>(all: readonly T[], paging: Paging, url: string): ListOf<T> {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = paging;
  if (after !== undefined && before !== undefined)
    throw invalidRequest('Only one of starting_after and ending_before can be given.');
  if (before !== undefined) {
    const earlier = all.slice(0, indexOf(all, before, 'ending_before'));
    return { object: 'list', data: earlier.slice(-limit), has_more: earlier.length > limit, url };
  }
  const rest = after === undefined ? all : all.slice(indexOf(all, after, 'starting_after') + 1);
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit, url };
}

function indexOf(all: readonly { id: string }[], id: string, param: string): number {
  const index = all.findIndex((object) => object.id === id);
  if (index < 0) throw invalidRequest(`No such object: '${id}'`, { code: 'resource_missing', param });
  return index;
}

type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number };

export function isWithin(value: number, range: Range | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return value === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return value > gt && value >= gte && value < lt && value <= lte;
}

/** An undefined filter matches any value. */
export const matches = <T>(value: T, filter: T | undefined): boolean => filter === undefined || value === filter;
