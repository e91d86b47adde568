/** Everything that one learner's devices acknowledged is on the server once, or in a list with its content; nothing else is there. */
import { isDeepStrictEqual } from 'node:util';
import { checkWords } from './check-words.ts';
import { keyOf, nameOf, type OracleEdit, type Row, type Rows } from './edit.ts';
import { checkFields } from './field-rules.ts';
import { sessionsOfOldApps, withTurnsAsRows } from './old-app.ts';
import { orderingOf, possibleWinners, type Write } from './order.ts';
import type { DocumentedTable } from './protocol-document.ts';
import { checkRefusals, type Refusal } from './refusals.ts';

export interface LearnerCase {
  document: ReadonlyMap<string, DocumentedTable>;
  edits: readonly OracleEdit[];
  /** Those of `edits` that the server refused, with what the devices' lists showed. */
  refusals: readonly Refusal[];
  /** The server's rows before the run, and at its end. */
  base: Rows;
  server: Rows;
  /** The server was put back to an earlier time during the run. */
  wasRestored: boolean;
}

const ASSIGNMENTS = 'coach_assignment_history';
const WORDS_TABLE = 'pronunciation_improvement_summary';
const INTERACTIONS = 'user_course_interaction';

export function checkLearner(learner: LearnerCase): string[] {
  const { document, base, server } = learner;
  const refused = new Set(learner.refusals.map(({ edit }) => edit));
  const kept = withTurnsAsRows(learner.edits.filter((edit) => !refused.has(edit)));
  const editsByRow = Map.groupBy(kept, keyOf);
  const oldSessions = sessionsOfOldApps(kept);
  const assignmentStarts = new Set(
    kept.flatMap(({ table, fields }) => (table === ASSIGNMENTS ? [fields.get('assignmentStartDate')?.value] : [])),
  );
  const keys = new Set([...base.keys(), ...server.keys(), ...editsByRow.keys()]);
  const rows = [...keys].flatMap((key) => {
    const edits = withoutOrphans(editsByRow.get(key) ?? [], learner.refusals);
    const [before, found] = [base.get(key), server.get(key)];
    if (edits.length === 0 && before !== undefined && isDeepStrictEqual(before, found)) return [];
    if (edits.length === 0 && before === undefined && isMadeForOldApp(key, found, oldSessions)) return [];
    return checkRow(learner, { key, edits, assignmentStarts });
  });
  return [...rows, ...checkOpenAssignments(server), ...checkRefusals(learner), ...checkAccount(document, base, server)];
}

const isMadeForOldApp = (key: string, found: Row | undefined, sessions: ReadonlySet<string>): boolean => {
  const details = found?.['details'] as { sessionId?: string } | undefined;
  return key.startsWith(`${INTERACTIONS} `) && sessions.has(details?.sessionId ?? '');
};

/** A deletion of a row whose only creation was refused deletes nothing. */
function withoutOrphans(edits: readonly OracleEdit[], refusals: readonly Refusal[]): OracleEdit[] {
  const isMade = edits.some(({ creates }) => creates);
  const isOrphan = (edit: OracleEdit): boolean =>
    edit.op === 'delete' && refusals.some(({ edit: refused }) => refused.creates && keyOf(refused) === keyOf(edit));
  return edits.filter((edit) => isMade || !isOrphan(edit));
}

function checkRow(
  { document, base: rows, server, wasRestored }: LearnerCase,
  { key, edits, assignmentStarts }: { key: string; edits: OracleEdit[]; assignmentStarts: ReadonlySet<unknown> },
): string[] {
  const table = document.get(key.split(' ')[0] ?? '');
  const [base, found] = [rows.get(key), server.get(key)];
  const creations = edits.filter(({ creates }) => creates);
  if (table === undefined) return [`${key} is of no table of the document`];
  if (found === undefined) {
    const owed = creations.find(({ isSure }) => isSure);
    if (base !== undefined) return [`${key} was there before the run and is gone`];
    return owed === undefined ? [] : [`${key} is missing on the server though ${nameOf(owed)} was acknowledged`];
  }
  if (base === undefined && creations.length === 0) return [`${key} is on the server and nobody made it`];
  const ordering = orderingOf(edits, { wasRestored });
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
  ordering: ReturnType<typeof orderingOf>,
): string[] {
  const writes = edits.map((edit): Write => ({ edit, value: edit.op === 'delete', isSure: edit.isSure }));
  const winners = possibleWinners(writes, ordering);
  const isDeleted = found['deletedAt'] !== null;
  const wasDeleted = base !== undefined && base['deletedAt'] !== null;
  if (winners.some((winner) => (winner === undefined ? wasDeleted : winner.value) === isDeleted)) return [];
  const by = winners.flatMap((winner) => (winner === undefined ? [] : [nameOf(winner.edit)]));
  return [`${key} ${isDeleted ? 'is deleted' : 'is alive'}, against ${by.join(' or ')}`];
}

/** A learner has one coach at a time. */
function checkOpenAssignments(server: Rows): string[] {
  const open = [...server].filter(
    ([key, row]) => key.startsWith(`${ASSIGNMENTS} `) && row['assignmentEndDate'] === null && row['deletedAt'] === null,
  );
  return open.length > 1
    ? [`${open.length} assignments of a coach are open: ${open.map(([key]) => key).join(', ')}`]
    : [];
}

/** Only the server writes these. */
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
