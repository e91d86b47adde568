/**
 * Compares and merges versions of a document, independently of its kind: lists whose items have names are compared by
 * name.
 */
import { isDeepStrictEqual } from 'node:util';

type Path = (string | number)[];
type Json = unknown;

export interface Conflict {
  path: Path;
  mine: Json;
  theirs: Json;
}

const NAMES = ['key', 'sectionId', 'objectiveId', 'itemId', 'word'] as const;

const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(item: Json): string | null {
  if (!isRecord(item)) return null;
  const name = NAMES.map((field) => item[field]).find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name : null;
}

/** Items by name, or null when an item has none or two share one. */
function byName(list: Json): Map<string, Json> | null {
  if (!Array.isArray(list)) return null;
  const named = new Map<string, Json>();
  for (const item of list) {
    const name = nameOf(item);
    if (name === null || named.has(name)) return null;
    named.set(name, item);
  }
  return named;
}

export interface ChangedPlace {
  /** The last step of a path into a named list is the name. */
  path: Path;
  before: Json;
  after: Json;
}

/** The places in which two versions differ. */
export function changedPlaces(before: Json, after: Json, path: Path = []): ChangedPlace[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      changedPlaces(before[name], after[name], [...path, name]),
    );
  const [old, next] = [byName(before), byName(after)];
  if (old === null || next === null || old.size + next.size === 0) return [{ path, before, after }];
  const changed = [...new Set([...old.keys(), ...next.keys()])].flatMap((name) =>
    changedPlaces(old.get(name), next.get(name), [...path, name]),
  );
  // The same items in another order.
  return changed.length === 0 ? [{ path, before: [...old.keys()], after: [...next.keys()] }] : changed;
}

export const changedPaths = (before: Json, after: Json): Path[] => changedPlaces(before, after).map(({ path }) => path);

/** Both edits of one base. Where they contradict each other, mine is kept and reported. An edit of what the other deleted is kept. */
export function mergeDocuments<Document>(
  base: Json,
  mine: Document,
  theirs: Document,
): { merged: Document; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  const merged = mergeValues({ base, mine, theirs }, [], conflicts);
  return { merged: merged as Document, conflicts };
}

interface Versions {
  base: Json;
  mine: Json;
  theirs: Json;
}

function mergeValues({ base, mine, theirs }: Versions, path: Path, conflicts: Conflict[]): Json {
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(theirs, base)) return mine;
  if (isDeepStrictEqual(mine, base)) return theirs;
  if (isRecord(mine) && isRecord(theirs)) {
    const from = isRecord(base) ? base : {};
    const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    return Object.fromEntries(
      [...names].map((name) => [
        name,
        mergeValues({ base: from[name], mine: mine[name], theirs: theirs[name] }, [...path, name], conflicts),
      ]),
    );
  }
  const lists = { base: byName(base ?? []), mine: byName(mine), theirs: byName(theirs) };
  if (lists.base !== null && lists.mine !== null && lists.theirs !== null)
    return mergeLists({ base: lists.base, mine: lists.mine, theirs: lists.theirs }, path, conflicts);
  conflicts.push({ path, mine: mine ?? null, theirs: theirs ?? null });
  return mine;
}

type NamedLists = Record<keyof Versions, Map<string, Json>>;

function mergeLists({ base, mine, theirs }: NamedLists, path: Path, conflicts: Conflict[]): Json[] {
  const kept = new Map<string, Json>();
  for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
    const at = [...path, name];
    const versions = { base: base.get(name), mine: mine.get(name), theirs: theirs.get(name) };
    if (mine.has(name) && theirs.has(name)) kept.set(name, mergeValues(versions, at, conflicts));
    else {
      const left = mine.has(name) ? versions.mine : versions.theirs;
      const wasDeletedUnchanged = base.has(name) && isDeepStrictEqual(left, versions.base);
      if (wasDeletedUnchanged) continue;
      if (base.has(name)) conflicts.push({ path: at, mine: versions.mine ?? null, theirs: versions.theirs ?? null });
      kept.set(name, left);
    }
  }
  return orderOf({ base, mine, theirs }, kept).map((name) => kept.get(name));
}

/**
 * The order comes from the side that changed it; items that only the other side has stay behind the item that they
 * followed.
 */
function orderOf({ base, mine, theirs }: NamedLists, kept: ReadonlyMap<string, Json>): string[] {
  const common = (list: ReadonlyMap<string, Json>): string[] =>
    [...list.keys()].filter((name) => base.has(name) && mine.has(name) && theirs.has(name));
  const haveIMoved = !isDeepStrictEqual(common(mine), common(base));
  const [first, second] = haveIMoved ? [mine, theirs] : [theirs, mine];
  const order = [...first.keys()].filter((name) => kept.has(name));
  const others = [...second.keys()].filter((name) => kept.has(name));
  for (const [index, name] of others.entries()) {
    if (order.includes(name)) continue;
    const before = others.slice(0, index).findLast((each) => order.includes(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name);
  }
  return order;
}
