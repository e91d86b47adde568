/** Converts the model into the history that the oracle checks. */
import type { OracleEdit, Row } from '../oracle/oracle-edit.ts';
import type { Refusal } from '../oracle/check-refusals.ts';
import type { ModelChange } from './change.ts';

export type ShownRefusals = ReadonlyMap<string, { code: string; fields: Row }>;

export function toOracleHistory(
  changes: readonly ModelChange[],
  shown: ShownRefusals,
): { edits: OracleEdit[]; refusals: Refusal[] } {
  const editByChange = new Map(changes.map((change) => [change, toEdit(change)]));
  const courses = new Set(changes.flatMap((change) => (isOldEnrolment(change) ? [getCourseId(change)] : [])));
  const refusals = [...editByChange].flatMap(([change, edit]): Refusal[] => {
    const refused = shownFor(change, shown) ?? shownFor(changeThatTookWords(change), shown);
    if (refused === undefined) return [];
    const takenOver = [...change.fields].flatMap(([name, { absorbedBy }]) => (absorbedBy === null ? [] : [name]));
    return [
      { edit, ...refused, absorbedFields: new Set(takenOver), hasOldAppDuplicate: courses.has(getCourseId(change)) },
    ];
  });
  return { edits: [...editByChange.values()], refusals };
}

const shownFor = (change: ModelChange | null, shown: ShownRefusals): { code: string; fields: Row } | undefined =>
  change === null || change.mutationId === null ? undefined : shown.get(change.mutationId);

/** Words that a later change carried are refused with that change. */
const changeThatTookWords = ({ fields }: ModelChange): ModelChange | null => fields.get('words')?.absorbedBy ?? null;

const getCourseId = ({ fields }: ModelChange): unknown => fields.get('courseId')?.value;
const isOldEnrolment = ({ table, creates, isOldApp }: ModelChange): boolean =>
  isOldApp && creates && table === 'enrollments';

function toEdit(change: ModelChange): OracleEdit {
  const { device, order, table, rowId, op, creates, attempts, trueMs, madeMs, settledMs, seenMs, isSure } = change;
  // Words are checked by their attempts, because the list that travels is cumulative.
  const writtenFields = [...change.fields].filter(([name]) => name !== 'words');
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
    hasBase: !change.isOldApp,
    fields: new Map(
      writtenFields.map(([name, { value, isSure: isFieldSure }]) => [
        name,
        {
          value,
          isSure: isFieldSure,
        },
      ]),
    ),
  };
}
