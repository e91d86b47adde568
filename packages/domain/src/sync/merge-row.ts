/**
 * How two writers of one row meet, without a database: an edit meets the row as it is, or two copies of a row meet after the server was
 * restored. The rule of each field stands with its entity; `docs/protocol.md` lists them.
 */
import { entities, type EntityKey, type FieldRule } from '../entity/index.ts';
import type { Entity } from '../entity/entity.ts';
import { formatHybridTime, isLater, parseHybridTime } from '../hybrid-clock.ts';
import type { CompletedObjective } from '../practice/conversation.ts';
import { mergePronunciationWords, type PronunciationWord } from '../practice/pronunciation-list.ts';
import { clockOf, type FieldClocks, LAST_EDIT, lastEditOf, latest, SERVER_SET } from './field-clocks.ts';

export type RowValues = Readonly<Record<string, unknown>>;

export interface ClockedRow {
  values: RowValues;
  clocks: FieldClocks;
}

export interface RowEdit {
  op: 'upsert' | 'delete';
  fields: RowValues;
  /** Hybrid time, with the id of the device that made the edit. */
  at: string;
  /** Whether the device had this very state of the row before it when it made the edit: then the edit wins, whatever the clocks say. */
  hasSeenRow: boolean;
}

export interface MergedEdit {
  /** What becomes of the row's fields; those that stay are left out. */
  changes: RowValues;
  clocks: FieldClocks;
  /** The time that the edit counts as. */
  at: string;
  /** Whether the row now is what the device made of it. */
  isExact: boolean;
}

const entityOf = (key: EntityKey): Entity => entities[key];
const ruleOfField = (key: EntityKey, name: string): FieldRule => entityOf(key).rules[name] ?? 'last_writer';

/** Where two times are equal they are one device's own, cut to the same limit: it sends in order, so the one that arrives is the newer. */
const replaces = (arriving: string | null, current: string | null): boolean =>
  arriving !== null && (arriving === current || isLater(arriving, current));

const deviceOf = (time: string): string => parseHybridTime(time).deviceId;

function after(time: string, deviceId: string): string {
  const { ms, counter } = parseHybridTime(time);
  return counter < 0xffff
    ? formatHybridTime({ ms, counter: counter + 1, deviceId })
    : formatHybridTime({ ms: ms + 1, counter: 0, deviceId });
}

/** The edit's own time, or just after the latest of these that its device has seen: its own edits, and the row that it edited. */
function effectiveTime({ at, hasSeenRow }: RowEdit, times: readonly (string | null)[]): string {
  const deviceId = deviceOf(at);
  const seen = latest(times.filter((time) => time !== null && (hasSeenRow || deviceOf(time) === deviceId)));
  return seen === null || isLater(at, seen) ? at : after(seen, deviceId);
}

const unitFields = (key: EntityKey): string[] =>
  Object.entries(entityOf(key).rules).flatMap(([name, rule]) => (rule === 'unit' ? [name] : []));

/** The fields of an entity's unit; empty for an entity without one. They travel together. */
export const unitFieldsOf = (key: EntityKey): readonly string[] => unitFields(key);

const rankOf = (key: EntityKey, values: RowValues): number => {
  const { unit } = entityOf(key);
  return unit === null ? 0 : unit.ranks.indexOf(String(values[unit.rankField]));
};

const clockOfUnit = (key: EntityKey, clocks: FieldClocks): string | null =>
  latest(unitFields(key).map((name) => clockOf(clocks, name)));

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (one instanceof Date && other instanceof Date && one.getTime() === other.getTime()) ||
  (typeof one === 'object' &&
    typeof other === 'object' &&
    !(one instanceof Date) &&
    canonical(one) === canonical(other));

/** Databases put the keys of an object in an order of their own. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

function mergeObjectives(
  ours: readonly CompletedObjective[],
  theirs: readonly CompletedObjective[],
): CompletedObjective[] {
  const known = new Set(ours.map(({ objectiveId }) => objectiveId));
  return [...ours, ...theirs.filter(({ objectiveId }) => !known.has(objectiveId))];
}

/** Whether every entry of the one list stands in the other as it is. */
function holdsWords(list: unknown, entries: unknown): boolean {
  const known = new Map((list as PronunciationWord[]).map((entry) => [entry.word, entry]));
  return (entries as PronunciationWord[]).every((entry) => isSame(known.get(entry.word), entry));
}

const isGreater = (one: unknown, other: unknown): boolean => Number(one) > Number(other);

/** A field by a rule that needs no time; undefined for rules that do. */
function mergeValues(rule: FieldRule, ours: unknown, theirs: unknown): { value: unknown } | undefined {
  switch (rule) {
    case 'set_once':
      return { value: isEmpty(ours) ? theirs : ours };
    case 'maximum':
      return { value: isGreater(theirs, ours) ? theirs : ours };
    case 'minimum':
      return { value: isGreater(ours, theirs) ? theirs : ours };
    case 'objectives':
      return { value: mergeObjectives(ours as CompletedObjective[], theirs as CompletedObjective[]) };
    case 'words':
      return { value: mergePronunciationWords(ours as PronunciationWord[], theirs as PronunciationWord[]) };
    default:
      return undefined;
  }
}

/** A session that is over is not paused. */
const settled = (key: EntityKey, values: Record<string, unknown>): Record<string, unknown> =>
  key === 'practiceHistory' && values['status'] !== 'in_progress' ? { ...values, pausedAt: null } : values;

/** Null: the edit changes nothing, since everything that it says is older than what is there. */
export function mergeEdit(key: EntityKey, current: ClockedRow, edit: RowEdit): MergedEdit | null {
  return edit.op === 'delete' ? mergeDeletion(current, edit) : mergeUpsert(key, current, edit);
}

function mergeDeletion({ clocks }: ClockedRow, edit: RowEdit): MergedEdit | null {
  const lastEdit = lastEditOf(clocks);
  const at = effectiveTime(edit, [lastEdit]);
  if (!replaces(at, lastEdit)) return null;
  return { changes: {}, clocks: { ...clocks, deletedAt: at }, at, isExact: true };
}

function mergeUpsert(key: EntityKey, { values, clocks }: ClockedRow, edit: RowEdit): MergedEdit | null {
  const entity = entityOf(key);
  const isCreation = (name: string): boolean => name === entity.key || name === 'createdAt';
  const names = Object.keys(edit.fields).filter(
    (name) => !isCreation(name) && !SERVER_SET.has(name) && ruleOfField(key, name) !== 'projection',
  );
  const unit = new Set(unitFields(key));
  const unitClock = clockOfUnit(key, clocks);
  const deletedAt = clockOf(clocks, 'deletedAt');
  const at = effectiveTime(edit, [
    ...names.map((name) => (unit.has(name) ? unitClock : clockOf(clocks, name))),
    ...(values['deletedAt'] === null ? [] : [deletedAt]),
  ]);
  const next: Record<string, unknown> = { ...values };
  const nextClocks: Record<string, string> = { ...clocks };
  // Only another creation of the same row names these; what the row has stays.
  let isExact = !Object.keys(edit.fields).some(isCreation);
  let isTaken = false;
  const takesUnit =
    names.some((name) => unit.has(name)) && unitWins(key, { values, clock: unitClock }, edit.fields, at);
  for (const name of names) {
    const [ours, theirs] = [values[name], edit.fields[name]];
    const rule = ruleOfField(key, name);
    const clock = clockOf(clocks, name);
    const merged =
      rule === 'unit'
        ? takesUnit && { value: theirs }
        : (mergeValues(rule, ours, theirs) ?? (replaces(at, clock) && { value: theirs }));
    if (merged === false) {
      isExact = false;
      continue;
    }
    next[name] = merged.value;
    isTaken ||= rule === 'unit' || rule === 'last_writer' || !isSame(merged.value, ours);
    isExact &&= rule === 'words' ? edit.hasSeenRow && holdsWords(merged.value, theirs) : isSame(merged.value, theirs);
    if (replaces(at, clock) || rule === 'unit') nextClocks[name] = at;
  }
  if (takesUnit) Object.assign(nextClocks, { [rankFieldOf(key)]: at });
  const after = settled(key, next);
  const isDeleted = values['deletedAt'] !== null && values['deletedAt'] !== undefined;
  const revives = isDeleted && replaces(at, deletedAt);
  // An edit that changes no value still is one: a deletion that was made before it and arrives after it must lose against it.
  const isLastEdit = isLater(at, lastEditOf(clocks));
  if (isLastEdit && isLater(at, lastEditOf(nextClocks))) nextClocks[LAST_EDIT] = at;
  if (!isTaken && !revives && !isLastEdit) return null;
  const changes = Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== values[name]));
  // What was brought may have been settled otherwise.
  const isAsBrought = names.every(
    (name) => ruleOfField(key, name) === 'words' || isSame(after[name], edit.fields[name]),
  );
  return { changes, clocks: compact(key, nextClocks), at, isExact: isExact && isAsBrought && !isDeleted };
}

function unitWins(
  key: EntityKey,
  ours: { values: RowValues; clock: string | null },
  fields: RowValues,
  at: string,
): boolean {
  const rank = rankOf(key, ours.values);
  const given = rankFieldOf(key);
  const theirRank = given in fields ? rankOf(key, fields) : rank;
  return theirRank === rank ? replaces(at, ours.clock) : theirRank > rank;
}

const rankFieldOf = (key: EntityKey): string => entityOf(key).unit?.rankField ?? '';

/** Times that are the same as that of the whole row need not be said; that of a unit is said once, for its rank. */
function compact(key: EntityKey, clocks: Record<string, string>): FieldClocks {
  const whole = clocks['*'];
  const rankField = rankFieldOf(key);
  const ofUnit = latest(unitFields(key).map((name) => clocks[name]));
  const isSaid = ([name, time]: [string, string]): boolean =>
    name === '*' ||
    SERVER_SET.has(name) ||
    (time !== whole && (ruleOfField(key, name) !== 'unit' || name === rankField));
  const all = ofUnit === null ? clocks : { ...clocks, [rankField]: ofUnit };
  return Object.fromEntries(Object.entries(all).filter(isSaid));
}

/** The times of a row's fields after an edit that was applied as it was made. */
export const clocksAfterEdit = (
  key: EntityKey,
  clocks: FieldClocks,
  { names, at }: { names: readonly string[]; at: string },
): FieldClocks => compact(key, { ...clocks, ...Object.fromEntries(names.map((name) => [name, at])) });

/** Whether the row's deletion is later than every edit of it. */
export function isDeletedBy(clocks: FieldClocks): boolean {
  const deletedAt = clockOf(clocks, 'deletedAt');
  return deletedAt !== null && replaces(deletedAt, lastEditOf(clocks));
}

/**
 * Two copies of one row meet, each field with the time at which it was set: the order in which they come makes no difference. `values` are
 * the fields that learners write; those that the server sets are not among them.
 */
export function mergeStates(key: EntityKey, ours: ClockedRow, theirs: ClockedRow): ClockedRow & { isDeleted: boolean } {
  const entity = entityOf(key);
  const values: Record<string, unknown> = { ...ours.values };
  const clocks: Record<string, string> = { ...ours.clocks };
  const unitClocks = { ours: clockOfUnit(key, ours.clocks), theirs: clockOfUnit(key, theirs.clocks) };
  const [ourRank, theirRank] = [rankOf(key, ours.values), rankOf(key, theirs.values)];
  const takesUnit =
    theirRank === ourRank
      ? unitClocks.theirs !== null && isLater(unitClocks.theirs, unitClocks.ours)
      : theirRank > ourRank;
  for (const name of Object.keys(entity.fields)) {
    if (name === entity.key || name === 'createdAt' || SERVER_SET.has(name) || !(name in theirs.values)) continue;
    const rule = ruleOfField(key, name);
    if (rule === 'projection' || entity.accountFields.includes(name)) continue;
    const [ourClock, theirClock] = [clockOf(ours.clocks, name), clockOf(theirs.clocks, name)];
    const isTheirs = theirClock !== null && isLater(theirClock, ourClock);
    const merged = mergeValues(rule, ours.values[name], theirs.values[name]);
    if (merged !== undefined) values[name] = merged.value;
    else if (rule === 'unit' ? takesUnit : isTheirs) values[name] = theirs.values[name];
    const clock = rule === 'unit' ? (takesUnit ? theirClock : ourClock) : isTheirs ? theirClock : ourClock;
    if (clock !== null) clocks[name] = clock;
  }
  for (const name of ['deletedAt', LAST_EDIT]) {
    const time = latest([clockOf(ours.clocks, name), clockOf(theirs.clocks, name)]);
    if (time !== null) clocks[name] = time;
  }
  const merged = compact(key, clocks);
  return { values: settled(key, values), clocks: merged, isDeleted: isDeletedBy(merged) };
}

/** Whether two copies of a row say the same in every field that `names` lists. */
export const saySame = (names: Iterable<string>, one: RowValues, other: RowValues): boolean =>
  [...names].every((name) => isSame(one[name] ?? null, other[name] ?? null));
