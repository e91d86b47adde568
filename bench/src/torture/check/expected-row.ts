/** Holds one row of the server against everything that was acknowledged of it. */
import {
  entities,
  entityKeyByTable,
  mergePronunciationWords,
  type PronunciationWord,
  PronunciationWords,
} from '@parley/domain';
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../model/change.ts';
import { possibleWinners, type Write } from '../model/winner.ts';
import type { WireRow } from './wire-rows.ts';

/** Set by the server alone, on every row. */
const SERVER_SET: readonly string[] = ['updatedAt', 'syncVersion', 'deletedAt'];
const WORDS_TABLE = entities.pronunciationImprovementSummary.name;

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
};

const name = ({ device, at, order, isSure }: Change): string =>
  `edit ${order} of device ${device.slice(0, 8)} at ${at ?? 'an unknown time'}${isSure ? '' : ' (in doubt)'}`;

export interface RowCase {
  key: string;
  /** Before the run; undefined when the row is younger. */
  base: WireRow | undefined;
  found: WireRow | undefined;
  /** Those that were not refused. */
  changes: readonly Change[];
  endMs: number;
}

/** What is wrong with the row, in words; nothing when all is well. */
export function checkRow(row: RowCase): string[] {
  const { base, found, changes, key } = row;
  const creations = changes.filter(({ creates }) => creates);
  if (found === undefined) {
    const owed = creations.find(({ isSure }) => isSure);
    if (base !== undefined) return [`${key} was there before the run and is gone`];
    return owed === undefined ? [] : [`${key} is missing on the server though ${name(owed)} was acknowledged`];
  }
  if (base === undefined && creations.length === 0) return [`${key} is on the server and nobody made it`];
  return [...checkDeletion(row, found), ...checkFields(row, found)];
}

function checkDeletion({ key, changes, endMs }: RowCase, found: WireRow): string[] {
  const writes = changes.map((change): Write => ({ change, value: change.op === 'delete', isSure: change.isSure }));
  const winners = possibleWinners(writes, endMs);
  const isDeleted = found['deletedAt'] !== null;
  if (winners.some((winner) => (winner?.value ?? false) === isDeleted)) return [];
  const by = winners.flatMap((winner) => (winner === undefined ? [] : [name(winner.change)]));
  return [`${key} ${isDeleted ? 'is deleted' : 'is alive'}, against ${by.join(' or ')}`];
}

function checkFields(row: RowCase, found: WireRow): string[] {
  const { key, base, changes, endMs } = row;
  const table = key.split(' ')[0] ?? '';
  const entityKey = entityKeyByTable.get(table);
  if (entityKey === undefined) return [`${key} is of no known table`];
  const entity = entities[entityKey];
  return Object.entries(found).flatMap(([field, value]) => {
    if (SERVER_SET.includes(field) || field === entity.key) return [];
    const initial = base?.[field];
    if (table === WORDS_TABLE && field === 'words') return checkWords(row, value);
    const writes = changes.flatMap((change): Write[] => {
      const written = change.fields.get(field);
      // An append-only row stays as it was made, and so does the time at which any row was made.
      const counts = change.creates || (entity.merge !== 'append_only' && field !== 'createdAt');
      if (written === undefined || !counts) return [];
      return [{ change, value: written.value, isSure: written.isSure && change.isSure }];
    });
    // Perhaps it was made by an edit that never answered, and then nobody knows what it says here.
    if (base === undefined && changes.some((change) => isUnknownCreation(change, field))) return [];
    const isFirst = field === 'createdAt' || entity.merge === 'append_only';
    const winners = isFirst && base === undefined ? writes : possibleWinners(isFirst ? [] : writes, endMs);
    const allowed = winners.map((winner) => (winner === undefined ? (initial ?? null) : winner.value));
    if (allowed.some((one) => isDeepStrictEqual(one, value)) || (writes.length === 0 && base === undefined)) return [];
    const wanted = winners.map((winner) =>
      winner === undefined ? `${short(initial)} as before` : `${short(winner.value)} by ${name(winner.change)}`,
    );
    return [`${key}: ${field} is ${short(value)}, should be ${wanted.join(' or ')}`];
  });
}

const isUnknownCreation = ({ creates, isSure, fields }: Change, field: string): boolean =>
  creates && !isSure && !fields.has(field);

/** Word by word, the newer practice stays; those in doubt may be there. */
function checkWords({ key, base, changes }: RowCase, value: unknown): string[] {
  const found = PronunciationWords.parse(value);
  const lists = (isSure: boolean): PronunciationWord[][] =>
    changes.flatMap((change) => {
      const field = change.fields.get('words');
      const isKnown = change.isSure && (field?.isSure ?? false);
      return field !== undefined && isKnown === isSure ? [PronunciationWords.parse(field.value)] : [];
    });
  const before = PronunciationWords.parse(base?.['words'] ?? []);
  const owed = lists(true).reduce(mergePronunciationWords, before);
  const inDoubt = lists(false).flat();
  const hasUnknown = changes.some(({ mutationId, isSure }) => mutationId === null && !isSure);
  const wrong = owed.filter((entry) => {
    const kept = found.find(({ word }) => word === entry.word);
    if (isDeepStrictEqual(kept, entry)) return false;
    const isNewer = kept !== undefined && kept.lastPracticedAt >= entry.lastPracticedAt;
    return !(isNewer && (hasUnknown || inDoubt.some((other) => isDeepStrictEqual(other, kept))));
  });
  return wrong.map(({ word, attempts }) => `${key}: attempt ${attempts} at the word "${word}" is lost`);
}
