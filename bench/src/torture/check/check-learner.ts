/** Everything that one learner's devices acknowledged is on the server once, or in a list with its content; nothing else is there. */
import { entities } from '@parley/domain';
import { isDeepStrictEqual } from 'node:util';
import { type Change, rowKey } from '../model/change.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import { checkRow } from './expected-row.ts';
import type { WireRow, WireRows } from './wire-rows.ts';

export type Shown = ReadonlyMap<string, { code: string; fields: Record<string, unknown> }>;

export interface LearnerCase {
  model: LearnerModel;
  base: WireRows;
  server: WireRows;
  /** What the devices' lists of refused changes showed, at any time. */
  shown: Shown;
  endMs: number;
}

export function checkLearner({ model, base, server, shown, endMs }: LearnerCase): string[] {
  const refused = model.changes.filter(({ mutationId }) => mutationId !== null && shown.has(mutationId));
  const kept = model.changes.filter((change) => !refused.includes(change));
  const changesByRow = Map.groupBy(kept, rowKey);
  const keys = new Set([...base.keys(), ...server.keys(), ...changesByRow.keys()]);
  const rows = [...keys].flatMap((key) => {
    const changes = changesByRow.get(key) ?? [];
    const [before, found] = [base.get(key), server.get(key)];
    // Hundreds of rows of the history that nobody touched need no rules.
    if (changes.length === 0 && before !== undefined && isDeepStrictEqual(before, found)) return [];
    return checkRow({ key, base: before, found, changes: withoutOrphans(changes, refused), endMs });
  });
  const lost = model.changes.filter(({ creates, isSure }) => creates && !isSure);
  const refusals = refused.flatMap((change) => checkRefusal(change, { refused, lost, shown }));
  return [...rows, ...refusals, ...checkAccount(base, server)];
}

/** A deletion of a row whose creation was refused deletes nothing. */
function withoutOrphans(changes: readonly Change[], refused: readonly Change[]): Change[] {
  const isOrphan = (change: Change): boolean =>
    change.op === 'delete' && refused.some((creation) => creation.creates && rowKey(creation) === rowKey(change));
  return changes.filter((change) => !isOrphan(change));
}

interface Refusals {
  refused: readonly Change[];
  /** Creations that may have gone with a damaged database. */
  lost: readonly Change[];
  shown: Shown;
}

/**
 * Two devices that enrol in one course while apart: one of them is refused, with what it did to that row later. So is what could be read
 * out of a damaged database when the row that it changes or names could not. Nothing else may be.
 */
function checkRefusal(change: Change, { refused, lost, shown }: Refusals): string[] {
  const { code, fields } = shown.get(change.mutationId ?? '') ?? { code: '', fields: {} };
  const isRival = change.table === entities.enrollments.name && change.creates && code === 'conflict';
  const follows = refused.some((creation) => creation.creates && rowKey(creation) === rowKey(change));
  const hangsInTheAir = lost.some((creation) =>
    change.creates
      ? [...change.fields.values()].some(({ value }) => value === creation.rowId)
      : rowKey(creation) === rowKey(change),
  );
  const isExpected = isRival || hangsInTheAir || (follows && !change.creates);
  const problems = isExpected ? [] : [`${rowKey(change)} was refused: ${code}`];
  const sent = [...change.fields].filter(([, { absorbedBy }]) => absorbedBy === null);
  const missing = sent.filter(([name, { value }]) => !isDeepStrictEqual(fields[name], value));
  return [
    ...problems,
    ...missing.map(([name]) => `the list of refused changes shows ${rowKey(change)} without its ${name}`),
  ];
}

/** Only the server writes these. */
function checkAccount(base: WireRows, server: WireRows): string[] {
  const usersOf = (rows: WireRows): [string, WireRow][] => [...rows].filter(([key]) => key.startsWith('users '));
  return usersOf(base).flatMap(([key, before]) =>
    entities.users.accountFields
      .filter((field) => !isDeepStrictEqual(server.get(key)?.[field], before[field]))
      .map((field) => `the account field ${field} of ${key} has changed`),
  );
}
