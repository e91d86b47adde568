/** Checks for each refused change that the refusal was justified and that the learner sees all of its content. */
import { isDeepStrictEqual } from 'node:util';
import { rowKey, type OracleEdit, type Row, type Rows } from './oracle-edit.ts';

export interface Refusal {
  edit: OracleEdit;
  code: string;
  /** The fields that the device lists as refused. */
  fields: Row;
  /** Fields that a later edit of the device replaced before they were sent; they are listed with that edit. */
  absorbedFields: ReadonlySet<string>;
  /** True when an old app, which does not derive ids, created the same enrolment under another id. */
  hasOldAppDuplicate: boolean;
}

const WORDS_TABLE = 'pronunciation_improvement_summary';
const ENROLMENTS = 'enrollments';
const MAX_WORDS = 5_000;

export function checkRefusals(learner: {
  edits: readonly OracleEdit[];
  refusals: readonly Refusal[];
  base: Rows;
}): string[] {
  const { edits, refusals, base } = learner;
  /** Creations that may have been lost with a damaged database. */
  const uncertainCreations = edits.filter(({ creates, isSure }) => creates && !isSure);
  const wordCount = new Set([
    ...[...base.values()].flatMap((row) => ((row['words'] ?? []) as { word: string }[]).map(({ word }) => word)),
    ...edits.flatMap(({ attempts }) => attempts.map(({ word }) => word)),
  ]).size;
  return refusals.flatMap((refusal) => {
    const { edit, code } = refusal;
    const isTooLong = edit.table === WORDS_TABLE && code === 'limit_exceeded' && wordCount > MAX_WORDS;
    const isDuplicateEnrolment =
      edit.table === ENROLMENTS && edit.creates && code === 'conflict' && refusal.hasOldAppDuplicate;
    const followsRefusedCreation =
      !edit.creates && refusals.some(({ edit: creation }) => creation.creates && rowKey(creation) === rowKey(edit));
    const dependsOnLostRow = uncertainCreations.some((creation) =>
      edit.creates
        ? [...edit.fields.values()].some(({ value }) => value === creation.rowId)
        : rowKey(creation) === rowKey(edit),
    );
    const isExpected = isTooLong || isDuplicateEnrolment || followsRefusedCreation || dependsOnLostRow;
    const problems = isExpected ? [] : [`${rowKey(edit)} was refused: ${code}`];
    return [...problems, ...findMissingContent(refusal).map((what) => `the list of refused changes shows ${what}`)];
  });
}

function findMissingContent({ edit, fields, absorbedFields }: Refusal): string[] {
  const lostFields = [...edit.fields]
    .filter(([name, { value }]) => !absorbedFields.has(name) && !isDeepStrictEqual(fields[name], value))
    .map(([name]) => `${rowKey(edit)} without its ${name}`);
  const words = new Set(((fields['words'] ?? []) as { word: string }[]).map(({ word }) => word));
  const lostWords = absorbedFields.has('words') ? [] : edit.attempts.filter(({ word }) => !words.has(word));
  return [
    ...lostFields,
    ...(lostWords.length === 0 ? [] : [`${rowKey(edit)} without ${lostWords.length} of its words`]),
  ];
}
