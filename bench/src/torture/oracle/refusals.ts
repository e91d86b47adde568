/** A change that the server refused: whether it had a reason to, and whether the learner is shown all of its content. */
import { isDeepStrictEqual } from 'node:util';
import { keyOf, type OracleEdit, type Row, type Rows } from './edit.ts';

export interface Refusal {
  edit: OracleEdit;
  code: string;
  /** As the device's list of refused changes shows it. */
  fields: Row;
  /** Fields that a later edit of the device took over before they were sent: they are in that edit's list. */
  takenOver: ReadonlySet<string>;
  /** An app that knows nothing of derived ids has made the same row under another. */
  hasOldRival: boolean;
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
  /** Creations that may have gone with a damaged database. */
  const lost = edits.filter(({ creates, isSure }) => creates && !isSure);
  const wordCount = new Set([
    ...[...base.values()].flatMap((row) => ((row['words'] ?? []) as { word: string }[]).map(({ word }) => word)),
    ...edits.flatMap(({ attempts }) => attempts.map(({ word }) => word)),
  ]).size;
  return refusals.flatMap((refusal) => {
    const { edit, code } = refusal;
    const isTooLong = edit.table === WORDS_TABLE && code === 'limit_exceeded' && wordCount > MAX_WORDS;
    const isRival = edit.table === ENROLMENTS && edit.creates && code === 'conflict' && refusal.hasOldRival;
    const follows =
      !edit.creates && refusals.some(({ edit: creation }) => creation.creates && keyOf(creation) === keyOf(edit));
    const hangsInTheAir = lost.some((creation) =>
      edit.creates
        ? [...edit.fields.values()].some(({ value }) => value === creation.rowId)
        : keyOf(creation) === keyOf(edit),
    );
    const isExpected = isTooLong || isRival || follows || hangsInTheAir;
    const problems = isExpected ? [] : [`${keyOf(edit)} was refused: ${code}`];
    return [...problems, ...missing(refusal).map((what) => `the list of refused changes shows ${what}`)];
  });
}

function missing({ edit, fields, takenOver }: Refusal): string[] {
  const lostFields = [...edit.fields]
    .filter(([name, { value }]) => !takenOver.has(name) && !isDeepStrictEqual(fields[name], value))
    .map(([name]) => `${keyOf(edit)} without its ${name}`);
  const words = new Set(((fields['words'] ?? []) as { word: string }[]).map(({ word }) => word));
  const lostWords = takenOver.has('words') ? [] : edit.attempts.filter(({ word }) => !words.has(word));
  return [
    ...lostFields,
    ...(lostWords.length === 0 ? [] : [`${keyOf(edit)} without ${lostWords.length} of its words`]),
  ];
}
