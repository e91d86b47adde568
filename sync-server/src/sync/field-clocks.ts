/**
 * When each field of a row was last set. A row is mostly made whole, at one time: that is said once and not for every field, where it
 * would be longer than the row itself.
 */
import { entities, type EntityKey } from '@parley/domain';

/** Hybrid times by field; for what a device created whole, one for all that have none of their own. */
export type FieldClocks = Readonly<Record<string, string>>;

const ALL = '*';
/** Set by the server whatever a device says. */
export const SERVER_SET: ReadonlySet<string> = new Set(['syncVersion', 'deletedAt', 'updatedAt']);

const namesByKey = new Map<EntityKey, readonly string[]>();

/** Those that a device can give a row; its key and the time of its creation never meet another. */
function givenByDevices(key: EntityKey): readonly string[] {
  const known = namesByKey.get(key);
  if (known !== undefined) return known;
  const entity = entities[key];
  const notTheirs = new Set([...SERVER_SET, ...entity.accountFields, entity.key, 'createdAt']);
  const names = Object.keys(entity.fields).filter((name) => !notTheirs.has(name));
  namesByKey.set(key, names);
  return names;
}

export function clocksOfCreation(key: EntityKey, fields: Readonly<Record<string, unknown>>, time: string): FieldClocks {
  const isWhole = givenByDevices(key).every((name) => Object.hasOwn(fields, name));
  return isWhole ? { [ALL]: time } : Object.fromEntries(Object.keys(fields).map((name) => [name, time]));
}

/** Null for what no device has set. */
export const clockOf = (clocks: FieldClocks, name: string): string | null =>
  clocks[name] ?? (SERVER_SET.has(name) ? null : (clocks[ALL] ?? null));
