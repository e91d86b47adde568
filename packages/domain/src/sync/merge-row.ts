/**
 * Merges concurrent writes to one row without a database: an edit with the current row, or two copies of a row after the server was
 * restored. Each entity declares the rules of its fields; `docs/protocol.md` lists them.
 */
import { entities, type EntityKey, type FieldRule } from '../entity/index.ts';
import type { Entity } from '../entity/entity.ts';
import { formatHybridTime, isLater, parseHybridTime } from './hybrid-clock.ts';
import type { CompletedObjective } from '../practice/conversation.ts';
import { mergePronunciationWords, type PronunciationWord } from '../practice/pronunciation-list.ts';
import { clockOf, type FieldClocks, LAST_EDIT, lastEditTime, latestTime, SERVER_FIELDS } from './field-clocks.ts';

export type RowValues = Readonly<Record<string, unknown>>;

export interface ClockedRow {
  values: RowValues;
  clocks: FieldClocks;
}

export interface RowEdit {
  op: 'upsert' | 'delete';
  fields: RowValues;
  /** Hybrid time, including the id of the device that made the edit. */
  at: string;
  /**
   * True when the device had exactly this version of the row when it made the edit. The edit then wins, whatever the
   * clocks say.
   */
  hasSeenRow: boolean;
  /**
   * True when the device made this edit no earlier than any of its previous ones. It then wins against those, whatever
   * the clock says.
   */
  isNewest: boolean;
}

export interface MergedEdit {
  /** The changed fields only. */
  changes: RowValues;
  clocks: FieldClocks;
  /** The time assigned to the edit. */
  at: string;
  /** True when the row is now exactly as the device left it. */
  isExact: boolean;
}

const entityOf = (key: EntityKey): Entity => entities[key];
const ruleOfField = (key: EntityKey, name: string): FieldRule => entityOf(key).rules[name] ?? 'last_writer';

/** Equal times come from one device and were clamped to the same limit. A device sends its edits in order, so the arriving one is newer. */
const replaces = (arriving: string | null, current: string | null): boolean =>
  arriving !== null && (arriving === current || isLater(arriving, current));

const deviceOf = (time: string): string => parseHybridTime(time).deviceId;

function justAfter(time: string, deviceId: string): string {
  const { ms, counter } = parseHybridTime(time);
  return counter < 0xffff
    ? formatHybridTime({ ms, counter: counter + 1, deviceId })
    : formatHybridTime({ ms: ms + 1, counter: 0, deviceId });
}

/**
 * Returns the edit's own time, or just after the latest time that its device has seen: those of its own edits and of the row that it
 * edited.
 */
function effectiveTime({ at, hasSeenRow, isNewest }: RowEdit, times: readonly (string | null)[]): string {
  const deviceId = deviceOf(at);
  const seen = latestTime(
    times.filter((time) => time !== null && (hasSeenRow || (isNewest && deviceOf(time) === deviceId))),
  );
  return seen === null || isLater(at, seen) ? at : justAfter(seen, deviceId);
}

const unitFields = (key: EntityKey): string[] =>
  Object.entries(entityOf(key).rules).flatMap(([name, rule]) => (rule === 'unit' ? [name] : []));

/** The fields of an entity's unit, which are always sent together; empty for an entity without a unit. */
export const unitFieldsOf = (key: EntityKey): readonly string[] => unitFields(key);

const rankOf = (key: EntityKey, values: RowValues): number => {
  const { unit } = entityOf(key);
  return unit === null ? 0 : unit.ranks.indexOf(String(values[unit.rankField]));
};

const clockOfUnit = (key: EntityKey, clocks: FieldClocks): string | null =>
  latestTime(unitFields(key).map((name) => clockOf(clocks, name)));

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof Date) return other instanceof Date && one.getTime() === other.getTime();
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  // A merged list of a thousand words shares most of its entries with the previous list, so only a few of them are
  // serialised.
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  return canonical(one) === canonical(other);
}

/** Databases may reorder the keys of a JSON object. */
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

/** True when every entry of `entries` appears unchanged in `list`. */
function containsEntries(list: unknown, entries: unknown): boolean {
  const known = new Map((list as PronunciationWord[]).map((entry) => [entry.word, entry]));
  return (entries as PronunciationWord[]).every((entry) => isSame(known.get(entry.word), entry));
}

const isGreater = (one: unknown, other: unknown): boolean => Number(one) > Number(other);

/** Merges by a rule that needs no clock; undefined for rules that need one. */
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

/** A finished session is never paused. */
const applySessionRules = (key: EntityKey, values: Record<string, unknown>): Record<string, unknown> =>
  key === 'practiceHistory' && values['status'] !== 'in_progress' ? { ...values, pausedAt: null } : values;

/** Returns null when the edit changes nothing because the row is newer in every respect. */
export function mergeEdit(key: EntityKey, current: ClockedRow, edit: RowEdit): MergedEdit | null {
  return edit.op === 'delete' ? mergeDeletion(current, edit) : mergeUpsert(key, current, edit);
}

function mergeDeletion({ clocks }: ClockedRow, edit: RowEdit): MergedEdit | null {
  const lastEdit = lastEditTime(clocks);
  const at = effectiveTime(edit, [lastEdit]);
  const deletedAt = clockOf(clocks, 'deletedAt');
  // An older deletion must not replace a later one, or an edit between the two would revive the row.
  if (!replaces(at, lastEdit) || (deletedAt !== null && isLater(deletedAt, at))) return null;
  return { changes: {}, clocks: { ...clocks, deletedAt: at }, at, isExact: true };
}

function mergeUpsert(key: EntityKey, { values, clocks }: ClockedRow, edit: RowEdit): MergedEdit | null {
  const entity = entityOf(key);
  const isCreation = (name: string): boolean => name === entity.key || name === 'createdAt';
  const names = Object.keys(edit.fields).filter(
    (name) => !isCreation(name) && !SERVER_FIELDS.has(name) && ruleOfField(key, name) !== 'projection',
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
  // Only a second creation of the same row sets these fields, and the row keeps its own values.
  let isExact = !Object.keys(edit.fields).some(isCreation);
  let hasEffect = false;
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
    hasEffect ||= rule === 'unit' || rule === 'last_writer' || !isSame(merged.value, ours);
    isExact &&=
      rule === 'words' ? edit.hasSeenRow && containsEntries(merged.value, theirs) : isSame(merged.value, theirs);
    if (replaces(at, clock) || rule === 'unit') nextClocks[name] = at;
  }
  if (takesUnit) Object.assign(nextClocks, { [rankFieldOf(key)]: at });
  const finalValues = applySessionRules(key, next);
  const isDeleted = values['deletedAt'] !== null && values['deletedAt'] !== undefined;
  const revives = isDeleted && replaces(at, deletedAt);
  // An edit counts even if it changes no value: an earlier deletion that arrives later must lose to it.
  const previousEdit = lastEditTime(clocks);
  const isLastEdit = isLater(at, previousEdit);
  if (isLastEdit && isLater(at, lastEditTime(nextClocks))) nextClocks[LAST_EDIT] = at;
  // A unit with a higher rank may be older than the one that it replaces, which was an edit all the same.
  if (previousEdit !== null && isLater(previousEdit, lastEditTime(nextClocks))) {
    nextClocks[LAST_EDIT] = previousEdit;
    isExact = false;
  }
  if (!hasEffect && !revives && !isLastEdit) return null;
  const changes = Object.fromEntries(Object.entries(finalValues).filter(([name, value]) => value !== values[name]));
  // The incoming values may have been changed by the rule for finished sessions.
  const isAsSent = names.every(
    (name) => ruleOfField(key, name) === 'words' || isSame(finalValues[name], edit.fields[name]),
  );
  return { changes, clocks: compact(key, nextClocks), at, isExact: isExact && isAsSent && !isDeleted };
}

function unitWins(
  key: EntityKey,
  ours: { values: RowValues; clock: string | null },
  fields: RowValues,
  at: string,
): boolean {
  const rank = rankOf(key, ours.values);
  const field = rankFieldOf(key);
  const theirRank = field in fields ? rankOf(key, fields) : rank;
  return theirRank === rank ? replaces(at, ours.clock) : theirRank > rank;
}

const rankFieldOf = (key: EntityKey): string => entityOf(key).unit?.rankField ?? '';

/** Omits clocks that equal the row's shared time, and stores a unit's clock once, under its rank field. */
function compact(key: EntityKey, clocks: Record<string, string>): FieldClocks {
  const whole = clocks['*'];
  const rankField = rankFieldOf(key);
  const ofUnit = latestTime(unitFields(key).map((name) => clocks[name]));
  const isStored = ([name, time]: [string, string]): boolean =>
    name === '*' ||
    SERVER_FIELDS.has(name) ||
    (time !== whole && (ruleOfField(key, name) !== 'unit' || name === rankField));
  const all = ofUnit === null ? clocks : { ...clocks, [rankField]: ofUnit };
  return Object.fromEntries(Object.entries(all).filter(isStored));
}

/** The clocks of a row after an edit that was applied unchanged. */
export const clocksAfterEdit = (
  key: EntityKey,
  clocks: FieldClocks,
  { names, at }: { names: readonly string[]; at: string },
): FieldClocks => compact(key, { ...clocks, ...Object.fromEntries(names.map((name) => [name, at])) });

/** True when the deletion is later than every edit of the row. */
export function isDeletedBy(clocks: FieldClocks): boolean {
  const deletedAt = clockOf(clocks, 'deletedAt');
  return deletedAt !== null && replaces(deletedAt, lastEditTime(clocks));
}

/**
 * Merges two copies of a row field by field, using each field's clock. The order of the copies does not matter. `values` contains only
 * fields that learners may write.
 */
export function mergeCopies(key: EntityKey, ours: ClockedRow, theirs: ClockedRow): ClockedRow & { isDeleted: boolean } {
  const entity = entityOf(key);
  const values: Record<string, unknown> = { ...ours.values };
  const clocks: Record<string, string> = { ...ours.clocks };
  const unitClocks = { ours: clockOfUnit(key, ours.clocks), theirs: clockOfUnit(key, theirs.clocks) };
  const [ourRank, theirRank] = [rankOf(key, ours.values), rankOf(key, theirs.values)];
  // A copy may have been written before its outcome was known. A status alone must not replace a whole unit.
  const bringsUnit = unitFields(key).some((name) => name !== rankFieldOf(key) && name in theirs.values);
  const takesUnit =
    bringsUnit &&
    (theirRank === ourRank
      ? unitClocks.theirs !== null && isLater(unitClocks.theirs, unitClocks.ours)
      : theirRank > ourRank);
  for (const name of Object.keys(entity.fields)) {
    if (name === entity.key || name === 'createdAt' || SERVER_FIELDS.has(name) || !(name in theirs.values)) continue;
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
  const deletedAt = latestTime([clockOf(ours.clocks, 'deletedAt'), clockOf(theirs.clocks, 'deletedAt')]);
  if (deletedAt !== null) clocks['deletedAt'] = deletedAt;
  const lastEdit = latestTime([lastEditTime(ours.clocks), lastEditTime(theirs.clocks)]);
  const named = clockOf(clocks, LAST_EDIT);
  if (lastEdit !== null && (named !== null || isLater(lastEdit, lastEditTime(clocks)))) clocks[LAST_EDIT] = lastEdit;
  const merged = compact(key, clocks);
  return { values: applySessionRules(key, values), clocks: merged, isDeleted: isDeletedBy(merged) };
}

/** True when both rows have the same values in the listed fields. */
export const haveSameValues = (names: Iterable<string>, one: RowValues, other: RowValues): boolean =>
  [...names].every((name) => isSame(one[name] ?? null, other[name] ?? null));
