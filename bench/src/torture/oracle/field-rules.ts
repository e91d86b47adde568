/** Holds the fields of one row of the server against its edits, each by the rule that the document gives it. */
import { isDeepStrictEqual } from 'node:util';
import { ANY, nameOf, type OracleEdit, type Row, short } from './edit.ts';
import { type Ordering, possibleWinners, type Write } from './order.ts';
import type { DocumentedField, DocumentedTable } from './protocol-document.ts';

export interface RowCase {
  key: string;
  table: DocumentedTable;
  /** Before the run; undefined when the row is younger. */
  base: Row | undefined;
  found: Row;
  edits: readonly OracleEdit[];
  ordering: Ordering;
  /** Whenever an assignment of a coach began: the server ends the one before there. */
  assignmentStarts: ReadonlySet<unknown>;
}

const same = (told: unknown, found: unknown): boolean => told === ANY || isDeepStrictEqual(told, found);
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** What is wrong with the row's fields, in words. */
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
      return checkExtreme(row, field, found);
    case 'objectives':
      return checkObjectives(row, field, found);
    case 'fixed when the row is made':
      return checkFixed(row, field, found);
    default:
      return [];
  }
}

function writesOf({ edits }: RowCase, { name, default: byDefault }: DocumentedField): Write[] {
  return edits.flatMap((edit): Write[] => {
    const told = edit.fields.get(name);
    if (told !== undefined) return [{ edit, value: told.value, isSure: told.isSure && edit.isSure }];
    if (!edit.creates) return [];
    // A creation without an answer says nothing of its fields; any other leaves them at their defaults.
    const value = byDefault === undefined || !edit.isSure ? ANY : byDefault;
    return [{ edit, value, isSure: edit.isSure && isFirstOf(edits, edit) }];
  });
}

/** A field that a second creation leaves out stays as the first has set it. */
const isFirstOf = (edits: readonly OracleEdit[], edit: OracleEdit): boolean =>
  edits.filter(({ creates }) => creates).length === 1 && edit.creates;

const wanted = (winners: readonly (Write | undefined)[], base: unknown): string =>
  winners
    .map((winner) =>
      winner === undefined ? `${short(base)} as before` : `${short(winner.value)} by ${nameOf(winner.edit)}`,
    )
    .join(' or ');

function checkLastWriter(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base, ordering } = row;
  if (field.name === 'pausedAt' && row.found['status'] !== 'in_progress')
    return found === null ? [] : [`${key}: it is over and still has pausedAt`];
  if (field.name === 'assignmentEndDate' && row.assignmentStarts.has(found)) return [];
  const winners = possibleWinners(writesOf(row, field), ordering);
  const initial = base?.[field.name] ?? field.default ?? null;
  if (winners.some((winner) => same(winner === undefined ? initial : winner.value, found))) return [];
  return [`${key}: ${field.name} is ${short(found)}, should be ${wanted(winners, initial)}`];
}

function checkSetOnce(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base } = row;
  const before = base?.[field.name];
  const writes = writesOf(row, field).filter(({ value }) => !isEmpty(value));
  const candidates = isEmpty(before) ? writes.map(({ value }) => value) : [before];
  if (isEmpty(found)) {
    const owed = isEmpty(before) ? writes.find(({ isSure, value }) => isSure && value !== ANY)?.value : before;
    return owed === undefined ? [] : [`${key}: ${field.name} is empty, was set once to ${short(owed)}`];
  }
  if (candidates.some((value) => same(value, found))) return [];
  return [`${key}: ${field.name} is ${short(found)}, nobody set that: ${candidates.map(short).join(' or ')}`];
}

function checkExtreme(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base } = row;
  const writes = writesOf(row, field);
  const before = base === undefined ? [] : [base[field.name]];
  const sure = [...before, ...writes.flatMap(({ isSure, value }) => (isSure && value !== ANY ? [value] : []))];
  const sign = field.rule === 'maximum' ? 1 : -1;
  const isBeaten = (value: unknown): boolean => sign * Number(found) < sign * Number(value);
  const lost = sure.find(isBeaten);
  if (lost !== undefined) return [`${key}: ${field.name} is ${short(found)}, the ${field.rule} is ${short(lost)}`];
  if ([...before, ...writes.map(({ value }) => value)].some((value) => same(value, found))) return [];
  return [`${key}: ${field.name} is ${short(found)}, and nobody set that`];
}

function checkObjectives(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base } = row;
  const listOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
  const writes = writesOf(row, field);
  const owed = [
    ...listOf(base?.[field.name]),
    ...writes.filter(({ isSure }) => isSure).flatMap((w) => listOf(w.value)),
  ];
  const all = [...owed, ...writes.flatMap(({ value }) => listOf(value))];
  const idOf = (entry: Row): string => String(entry['objectiveId']);
  const ids = listOf(found).map(idOf);
  return [
    ...[...new Set(owed.map(idOf))]
      .filter((id) => !ids.includes(id))
      .map((id) => `${key}: the completed objective ${id} is lost`),
    ...(new Set(ids).size === ids.length ? [] : [`${key}: an objective is completed twice`]),
    ...listOf(found)
      .filter((entry) => !all.some((told) => isDeepStrictEqual(told, entry)))
      .map((entry) => `${key}: nobody completed the objective ${short(entry)}`),
  ];
}

function checkFixed(row: RowCase, field: DocumentedField, found: unknown): string[] {
  const { key, base, table } = row;
  const creations = writesOf({ ...row, edits: row.edits.filter(({ creates }) => creates) }, field);
  const allowed = base === undefined ? creations.map(({ value }) => value) : [base[field.name]];
  // The key may be said by the change alone, and not once more among its fields.
  if (field.name === table.key) allowed.push(key.split(' ')[1]);
  if (allowed.some((value) => same(value, found))) return [];
  return [`${key}: ${field.name} is ${short(found)}, was made with ${allowed.map(short).join(' or ')}`];
}

const namesWith = ({ fields }: DocumentedTable, rule: string): string[] =>
  [...fields.values()].flatMap((field) => (field.rule === rule ? [field.name] : []));

/** All fields of the unit are one writer's: of the greatest rank, and there the latest. */
function checkUnit(row: RowCase): string[] {
  const { key, table, base, found, edits, ordering } = row;
  const { unit } = table;
  if (unit === null) return [];
  const names = namesWith(table, 'unit');
  const rankOf = (status: unknown): number => (status === ANY ? 0 : unit.ranks.indexOf(String(status)));
  const rankField = table.fields.get(unit.rankField);
  const writes = rankField === undefined ? [] : writesOf({ ...row, edits: edits.filter(bringsRank) }, rankField);
  const baseRank = base === undefined ? -1 : rankOf(base[unit.rankField]);
  const owedRank = Math.max(baseRank, ...writes.filter(({ isSure }) => isSure).map(({ value }) => rankOf(value)));
  const ahead = writes.filter(({ value }) => rankOf(value) >= owedRank || value === ANY);
  const winners = ahead.flatMap((write) => {
    const rivals = ahead.filter(({ value }) => rankOf(value) === rankOf(write.value));
    return possibleWinners(rivals, ordering).includes(write) ? [write] : [];
  });
  const hasSure = winners.some(({ isSure }) => isSure);
  const vectors = winners.map(({ edit }) => names.map((name) => told(edit, table, name)));
  if (base !== undefined && baseRank === owedRank && !hasSure) vectors.push(names.map((name) => base[name]));
  if (vectors.some((vector) => vector.every((value, index) => same(value, found[names[index] ?? ''])))) return [];
  const isMixed = names.every((name, index) => vectors.some((vector) => same(vector[index], found[name])));
  const why = isMixed ? 'is mixed from several writers' : 'is not that of its last writer';
  const values = names.map((name) => `${name} ${short(found[name])}`).join(', ');
  return [`${key}: the unit ${why}: ${values}; should be by ${winners.map(({ edit }) => nameOf(edit)).join(' or ')}`];

  function bringsRank(edit: OracleEdit): boolean {
    return edit.creates || (unit !== null && edit.fields.has(unit.rankField));
  }
}

function told(edit: OracleEdit, { fields }: DocumentedTable, name: string): unknown {
  const field = edit.fields.get(name);
  if (field !== undefined) return field.value;
  return edit.isSure ? (fields.get(name)?.default ?? null) : ANY;
}

/** The row that came first stays, with all its fields. */
function checkInsertIfAbsent({ key, table, base, found, edits }: RowCase): string[] {
  const names = namesWith(table, 'insert if absent');
  if (names.length === 0) return [];
  const creations = edits.filter(({ creates }) => creates);
  const vectors =
    base === undefined
      ? creations.map((edit) => names.map((name) => told(edit, table, name)))
      : [names.map((name) => base[name])];
  if (vectors.some((vector) => vector.every((value, index) => same(value, found[names[index] ?? ''])))) return [];
  return [`${key} is not as it was made`];
}
