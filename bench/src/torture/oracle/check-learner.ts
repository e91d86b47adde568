/** Checks that everything the devices acknowledged is on the server once or listed as refused, and that nothing else is there. */
import { isDeepStrictEqual } from 'node:util';
import { checkWords } from './check-words.ts';
import { rowKey, describeEdit, type OracleEdit, type Row, type Rows } from './oracle-edit.ts';
import { checkFields } from './check-fields.ts';
import { findOldAppSessions, expandConversations } from './protocol-2-edits.ts';
import { createEditOrdering, possibleWinners, type FieldWrite } from './edit-ordering.ts';
import type { DocumentedTable } from './protocol-document.ts';
import { checkRefusals, type Refusal } from './check-refusals.ts';

export interface LearnerCase {
  document: ReadonlyMap<string, DocumentedTable>;
  edits: readonly OracleEdit[];
  /** The refused edits, with what the devices showed of them. */
  refusals: readonly Refusal[];
  /** The rows of the server before and after the run. */
  base: Rows;
  server: Rows;
  /** True when the server was restored during the run. */
  wasRestored: boolean;
}

const ASSIGNMENTS = 'coach_assignment_history';
const WORDS_TABLE = 'pronunciation_improvement_summary';
const INTERACTIONS = 'user_course_interaction';
const ATTEMPTS = 'word_attempts';

export function checkLearner(learner: LearnerCase): string[] {
  const { document, base, server } = learner;
  const refused = new Set(learner.refusals.map(({ edit }) => edit));
  const kept = expandConversations(learner.edits.filter((edit) => !refused.has(edit)));
  const editsByRow = Map.groupBy(kept, rowKey);
  const oldSessions = findOldAppSessions(kept);
  const assignmentStarts = new Set(
    kept.flatMap(({ table, fields }) => (table === ASSIGNMENTS ? [fields.get('assignmentStartDate')?.value] : [])),
  );
  const keys = new Set([...base.keys(), ...server.keys(), ...editsByRow.keys()]);
  const rows = [...keys].flatMap((key) => {
    const edits = withoutDanglingDeletions(editsByRow.get(key) ?? [], learner.refusals);
    const [before, found] = [base.get(key), server.get(key)];
    if (edits.length === 0 && before !== undefined && isDeepStrictEqual(before, found)) return [];
    if (edits.length === 0 && before === undefined && isCreatedForOldApp(key, found, oldSessions)) return [];
    if (before === undefined && found !== undefined && isCarriedCount(key, found))
      return checkCarriedCount(key, found, edits);
    return checkRow(learner, { key, edits, assignmentStarts });
  });
  return [...rows, ...checkOpenAssignments(server), ...checkRefusals(learner), ...checkAccount(document, base, server)];
}

const isCreatedForOldApp = (key: string, found: Row | undefined, sessions: ReadonlySet<string>): boolean => {
  const details = found?.['details'] as { sessionId?: string } | undefined;
  return key.startsWith(`${INTERACTIONS} `) && sessions.has(details?.sessionId ?? '');
};

/**
 * Each device carries the counts of a word list into the attempt log under the same ids, when it receives them. Not all of these creations
 * are in the model, and the first to arrive stays; `check-replica.ts` checks that all devices hold that one.
 */
const isCarriedCount = (key: string, found: Row): boolean =>
  key.startsWith(`${ATTEMPTS} `) && found['kind'] === 'counted';

const COUNTED_FIELDS = ['word', 'countedBy', 'attempts'];

function checkCarriedCount(key: string, found: Row, edits: readonly OracleEdit[]): string[] {
  const wrong = COUNTED_FIELDS.filter((name) =>
    edits.some(
      ({ fields }) => fields.get(name)?.isSure === true && !isDeepStrictEqual(fields.get(name)?.value, found[name]),
    ),
  );
  return [
    ...wrong.map((name) => `${key}: ${name} of a carried count is not what a device wrote`),
    ...(found['deletedAt'] === null ? [] : [`${key} is deleted, and no device deletes a carried count`]),
  ];
}

/** Drops deletions of rows whose only creation was refused. */
function withoutDanglingDeletions(edits: readonly OracleEdit[], refusals: readonly Refusal[]): OracleEdit[] {
  const isMade = edits.some(({ creates }) => creates);
  const isDangling = (edit: OracleEdit): boolean =>
    edit.op === 'delete' && refusals.some(({ edit: refused }) => refused.creates && rowKey(refused) === rowKey(edit));
  return edits.filter((edit) => isMade || !isDangling(edit));
}

function checkRow(
  { document, base: rows, server, wasRestored }: LearnerCase,
  { key, edits, assignmentStarts }: { key: string; edits: OracleEdit[]; assignmentStarts: ReadonlySet<unknown> },
): string[] {
  const table = document.get(key.split(' ')[0] ?? '');
  const [base, found] = [rows.get(key), server.get(key)];
  const creations = edits.filter(({ creates }) => creates);
  if (table === undefined) return [`${key} belongs to no table of docs/protocol.md`];
  if (found === undefined) {
    const acknowledgedCreation = creations.find(({ isSure }) => isSure);
    if (base !== undefined) return [`${key} was there before the run and is gone`];
    return acknowledgedCreation === undefined
      ? []
      : [`${key} is missing on the server though ${describeEdit(acknowledgedCreation)} was acknowledged`];
  }
  if (base === undefined && creations.length === 0) return [`${key} is on the server and no device made it`];
  const ordering = createEditOrdering(edits, { wasRestored });
  const upserts = edits.filter(({ op }) => op === 'upsert');
  const row = { key, table, base, found, edits: upserts, ordering, assignmentStarts };
  return [
    ...checkDeletion(key, base, found, edits, ordering),
    ...checkFields(row),
    ...(table.name === WORDS_TABLE ? checkWords(key, base, found, edits) : []),
  ];
}

function checkDeletion(
  key: string,
  base: Row | undefined,
  found: Row,
  edits: readonly OracleEdit[],
  ordering: ReturnType<typeof createEditOrdering>,
): string[] {
  const writes = edits.map((edit): FieldWrite => ({ edit, value: edit.op === 'delete', isSure: edit.isSure }));
  const winners = possibleWinners(writes, ordering);
  const isDeleted = found['deletedAt'] !== null;
  const wasDeleted = base !== undefined && base['deletedAt'] !== null;
  if (winners.some((winner) => (winner === undefined ? wasDeleted : winner.value) === isDeleted)) return [];
  const by = winners.flatMap((winner) => (winner === undefined ? [] : [describeEdit(winner.edit)]));
  return [`${key} ${isDeleted ? 'is deleted' : 'is alive'}, against ${by.join(' or ')}`];
}

/** A learner has at most one coach at a time. */
function checkOpenAssignments(server: Rows): string[] {
  const open = [...server].filter(
    ([key, row]) => key.startsWith(`${ASSIGNMENTS} `) && row['assignmentEndDate'] === null && row['deletedAt'] === null,
  );
  return open.length > 1
    ? [`${open.length} assignments of a coach are open: ${open.map(([key]) => key).join(', ')}`]
    : [];
}

/** Checks that account fields, which only the server writes, are unchanged. */
function checkAccount(document: ReadonlyMap<string, DocumentedTable>, base: Rows, server: Rows): string[] {
  const own = ['updatedAt', 'syncVersion', 'deletedAt'];
  const names = [...(document.get('users')?.fields.values() ?? [])].flatMap(({ name, rule }) =>
    rule === 'set by the server' && !own.includes(name) ? [name] : [],
  );
  return [...base]
    .filter(([key]) => key.startsWith('users '))
    .flatMap(([key, before]) =>
      names
        .filter((name) => !isDeepStrictEqual(server.get(key)?.[name], before[name]))
        .map((name) => `the account field ${name} of ${key} has changed`),
    );
}
