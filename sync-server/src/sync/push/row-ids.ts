import type { EntityKey } from '@parley/domain';

/** Row ids by table. */
export type RowIds = Map<EntityKey, Set<string>>;

export const addId = (ids: RowIds, key: EntityKey, id: string): void => {
  ids.set(key, (ids.get(key) ?? new Set()).add(id));
};
