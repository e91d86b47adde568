/** Checks the fields of one server row against its edits, each by its documented merge rule. */
import { isDeepStrictEqual } from 'node:util';
import { UNKNOWN_VALUE, describeEdit, type OracleEdit, type Row, abbreviate } from './oracle-edit.ts';
import { type EditOrdering, possibleWinners, type FieldWrite } from './edit-ordering.ts';
import type { DocumentedField, DocumentedTable } from './protocol-document.ts';

export interface RowCase {
  key: string;
  table: DocumentedTable;
  /** The row before the run; undefined when it is newer. */
  base: Row | undefined;
  found: Row;
  edits: readonly OracleEdit[];
  ordering: EditOrdering;
  /** Start times of coach assignments, because the server ends the previous assignment there. */
  assignmentStarts: ReadonlySet<unknown>;
}

const matches = (told: unknown, found: unknown): boolean => told === UNKNOWN_VALUE || isDeepStrictEqual(told, found);
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Returns the violations as sentences. */
export function checkFields(row: RowCase): string[] {
  const { table, found } = row;
  const one = [...table.fields.values()].flatMap((field) => checkField(row, field, found[field.name]));
  return [...one, ...checkUnit(row), ...checkInsertIfAbsent(row)];
}

function checkField(row: RowCase, field: DocumentedField, found: unknown): string[] {
  switch (field.rule) {
    case 'last writer':
      return checkLastWriter(row, field, found);
    case 'set once':
      return checkSetOnce(row, field, found);
    case 'maximum':
    case 'minimum':
      return checkMaximumOrMinimum(row, field, found);
    case 'objectives':
      return checkObjectives(row, field, found);
    case 'fixed when the row is made':
      return checkFixed(row, field, found);
    default:
      return [];
  }
}

function collectWrites({ edits }: RowCase, { name, default: byDefault }: DocumentedField): FieldWrite[] {
  return edits.flatMap((edit): FieldWrite[] => {
    const told = edit.fields.get(name);
    if (told !== undefined) return [{ edit, value: told.value, isSure: told.isSure && edit.isSure }];
    if (!edit.creates) return [];
    // The fields of a creation that was not answered are unknown; those of any other creation have their defaults.
    const value = byDefault === undefined || !edit.isSure ? UNKNOWN_VALUE : byDefault;
    return [{ edit, value, isSure: edit.isSure && isOnlyCreation(edits, edit) }];
  });
}

/** A field that a second creation omits keeps the value of the first. */
const isOnlyCreation = (edits: readonly OracleEdit[], edit: OracleEdit): boolean =>
  edits.filter(({ creates }) => creates).length === 1 && edit.creates;

const describeExpected = (winners: readonly (FieldWrite | undefined)[], base: unknown): string =>
  winners
    .map((winner) =>
      winner === undefined
        ? `${abbreviate(base)} as before`
        : `${abbreviate(winner.value)} by ${describeEdit(winner.edit)}`,
    )
    .join(' or ');

function checkLastWriter(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base, ordering } = row;
  if (field.name === 'pausedAt' && row.found['status'] !== 'in_progress')
    return found === null ? [] : [`${key}: the session is over and still has pausedAt`];
  if (field.name === 'assignmentEndDate' && row.assignmentStarts.has(found)) return [];
  const winners = possibleWinners(collectWrites(row, field), ordering);
  const initial = base?.[field.name] ?? field.default ?? null;
  if (winners.some((winner) => matches(winner === undefined ? initial : winner.value, found))) return [];
  return [`${key}: ${field.name} is ${abbreviate(found)}, should be ${describeExpected(winners, initial)}`];
}

function checkSetOnce(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base } = row;
  const before = base?.[field.name];
  const writes = collectWrites(row, field).filter(({ value }) => !isEmpty(value));
  const candidates = isEmpty(before) ? writes.map(({ value }) => value) : [before];
  if (isEmpty(found)) {
    const owed = isEmpty(before)
      ? writes.find(({ isSure, value }) => isSure && value !== UNKNOWN_VALUE)?.value
      : before;
    return owed === undefined ? [] : [`${key}: ${field.name} is empty, was set once to ${abbreviate(owed)}`];
  }
  if (candidates.some((value) => matches(value, found))) return [];
  return [
    `${key}: ${field.name} is ${abbreviate(found)}, no device set that: ${candidates.map(abbreviate).join(' or ')}`,
  ];
}

function checkMaximumOrMinimum(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base } = row;
  const writes = collectWrites(row, field);
  const before = base === undefined ? [] : [base[field.name]];
  const sure = [
    ...before,
    ...writes.flatMap(({ isSure, value }) => (isSure && value !== UNKNOWN_VALUE ? [value] : [])),
  ];
  const sign = field.rule === 'maximum' ? 1 : -1;
  const isBeaten = (value: unknown): boolean => sign * Number(found) < sign * Number(value);
  const lost = sure.find(isBeaten);
  if (lost !== undefined)
    return [`${key}: ${field.name} is ${abbreviate(found)}, the ${field.rule} is ${abbreviate(lost)}`];
  if ([...before, ...writes.map(({ value }) => value)].some((value) => matches(value, found))) return [];
  return [`${key}: ${field.name} is ${abbreviate(found)}, and no device set that`];
}

function checkObjectives(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base } = row;
  const listOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
  const writes = collectWrites(row, field);
  const expected = [
    ...listOf(base?.[field.name]),
    ...writes.filter(({ isSure }) => isSure).flatMap((w) => listOf(w.value)),
  ];
  const all = [...expected, ...writes.flatMap(({ value }) => listOf(value))];
  const idOf = (entry: Row): string => String(entry['objectiveId']);
  const ids = listOf(found).map(idOf);
  return [
    ...[...new Set(expected.map(idOf))]
      .filter((id) => !ids.includes(id))
      .map((id) => `${key}: the completed objective ${id} is lost`),
    ...(new Set(ids).size === ids.length ? [] : [`${key}: an objective is completed twice`]),
    ...listOf(found)
      .filter((entry) => !all.some((told) => isDeepStrictEqual(told, entry)))
      .map((entry) => `${key}: no device completed the objective ${abbreviate(entry)}`),
  ];
}

function checkFixed(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base, table } = row;
  const creations = collectWrites({ ...row, edits: row.edits.filter(({ creates }) => creates) }, field);
  const allowed = base === undefined ? creations.map(({ value }) => value) : [base[field.name]];
  // The key may be given by the change alone and not among its fields.
  if (field.name === table.key) allowed.push(key.split(' ')[1]);
  if (allowed.some((value) => matches(value, found))) return [];
  return [`${key}: ${field.name} is ${abbreviate(found)}, was made with ${allowed.map(abbreviate).join(' or ')}`];
}

const namesWith = ({ fields }: DocumentedTable, rule: string): string[] =>
  [...fields.values()].flatMap((field) => (field.rule === rule ? [field.name] : []));

/** All fields of the unit come from one writer: the one with the highest rank, and among those the latest. */
function checkUnit(row: RowCase): string[] {
  const { key, table, base, found, edits, ordering } = row;
  const { unit } = table;
  if (unit === null) return [];
  const names = namesWith(table, 'unit');
  const rankOf = (status: unknown): number => (status === UNKNOWN_VALUE ? 0 : unit.ranks.indexOf(String(status)));
  const rankField = table.fields.get(unit.rankField);
  const writes = rankField === undefined ? [] : collectWrites({ ...row, edits: edits.filter(bringsRank) }, rankField);
  const baseRank = base === undefined ? -1 : rankOf(base[unit.rankField]);
  const expectedRank = Math.max(baseRank, ...writes.filter(({ isSure }) => isSure).map(({ value }) => rankOf(value)));
  const highestRanked = writes.filter(({ value }) => rankOf(value) >= expectedRank || value === UNKNOWN_VALUE);
  const winners = highestRanked.flatMap((write) => {
    const rivals = highestRanked.filter(({ value }) => rankOf(value) === rankOf(write.value));
    return possibleWinners(rivals, ordering).includes(write) ? [write] : [];
  });
  const hasSure = winners.some(({ isSure }) => isSure);
  const candidateUnits = winners.map(({ edit }) => names.map((name) => valueOf(edit, table, name)));
  if (base !== undefined && baseRank === expectedRank && !hasSure) candidateUnits.push(names.map((name) => base[name]));
  if (candidateUnits.some((vector) => vector.every((value, index) => matches(value, found[names[index] ?? '']))))
    return [];
  const isMixed = names.every((name, index) => candidateUnits.some((vector) => matches(vector[index], found[name])));
  const why = isMixed ? 'is mixed from several writers' : 'is not that of its last writer';
  const values = names.map((name) => `${name} ${abbreviate(found[name])}`).join(', ');
  return [
    `${key}: the unit ${why}: ${values}; should be by ${winners.map(({ edit }) => describeEdit(edit)).join(' or ')}`,
  ];

  function bringsRank(edit: OracleEdit): boolean {
    return edit.creates || (unit !== null && edit.fields.has(unit.rankField));
  }
}

function valueOf(edit: OracleEdit, { fields }: DocumentedTable, name: string): unknown {
  const field = edit.fields.get(name);
  if (field !== undefined) return field.value;
  return edit.isSure ? (fields.get(name)?.default ?? null) : UNKNOWN_VALUE;
}

/** The row that was created first keeps all its fields. */
function checkInsertIfAbsent({ key, table, base, found, edits }: RowCase): string[] {
  const names = namesWith(table, 'insert if absent');
  if (names.length === 0) return [];
  const creations = edits.filter(({ creates }) => creates);
  const vectors =
    base === undefined
      ? creations.map((edit) => names.map((name) => valueOf(edit, table, name)))
      : [names.map((name) => base[name])];
  if (vectors.some((vector) => vector.every((value, index) => matches(value, found[names[index] ?? ''])))) return [];
  return [`${key} is not as it was made`];
}
