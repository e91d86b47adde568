/** What the model knows, told to the oracle. */
import type { OracleEdit, Row } from '../oracle/edit.ts';
import type { Refusal } from '../oracle/refusals.ts';
import type { Change } from './change.ts';

export type Shown = ReadonlyMap<string, { code: string; fields: Row }>;

export function toOracle(changes: readonly Change[], shown: Shown): { edits: OracleEdit[]; refusals: Refusal[] } {
  const editByChange = new Map(changes.map((change) => [change, toEdit(change)]));
  const courses = new Set(changes.flatMap((change) => (isOldEnrolment(change) ? [courseOf(change)] : [])));
  const refusals = [...editByChange].flatMap(([change, edit]): Refusal[] => {
    const refused = change.mutationId === null ? undefined : shown.get(change.mutationId);
    if (refused === undefined) return [];
    const takenOver = [...change.fields].flatMap(([name, { absorbedBy }]) => (absorbedBy === null ? [] : [name]));
    return [{ edit, ...refused, takenOver: new Set(takenOver), hasOldRival: courses.has(courseOf(change)) }];
  });
  return { edits: [...editByChange.values()], refusals };
}

const courseOf = ({ fields }: Change): unknown => fields.get('courseId')?.value;
const isOldEnrolment = ({ table, creates, isOldApp }: Change): boolean =>
  isOldApp && creates && table === 'enrollments';

function toEdit(change: Change): OracleEdit {
  const { device, order, table, rowId, op, creates, attempts, trueMs, madeMs, settledMs, seenMs, isSure } = change;
  // A list of words is told attempt by attempt: what travels is what the device had counted by then.
  const told = [...change.fields].filter(([name]) => name !== 'words');
  return {
    device,
    order,
    table,
    rowId,
    op,
    creates,
    attempts,
    trueMs,
    madeMs,
    settledMs,
    seenMs,
    isSure,
    fields: new Map(
      told.map(([name, { value, isSure: isFieldSure }]) => [
        name,
        {
          value,
          isSure: isFieldSure,
        },
      ]),
    ),
  };
}
