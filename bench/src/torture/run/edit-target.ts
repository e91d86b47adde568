/** Describes the target of an edit for the model, before or without an answer of the device. */
import { enrolmentId, entities } from '@parley/domain';
import type { Edit, Wire } from '../messages.ts';
import type { WordAttempts } from '../oracle/oracle-edit.ts';

/** Returns the row of an edit and its values, as far as they are known without the device. */
export function describeTarget(edit: Edit, userId: string) {
  const upsert = { op: 'upsert' as const, creates: false };
  const session = { ...upsert, table: entities.practiceHistory.name };
  const turn = { ...upsert, table: entities.aiConversations.name };
  const enrolment = { table: entities.enrollments.name, creates: false, values: {} };
  switch (edit.op) {
    case 'words':
      // It may be the first practised word, which creates the row.
      return { ...upsert, table: WORDS_TABLE, rowId: userId, creates: true, values: {} };
    case 'turn':
      return { ...turn, rowId: edit.rowId, creates: true, values: { ...edit.values, sessionId: edit.sessionId } };
    case 'fill':
      return { ...turn, rowId: edit.rowId, values: edit.values };
    case 'finish':
      return { ...session, rowId: edit.sessionId, values: edit.values };
    case 'objective':
      return { ...session, rowId: edit.sessionId, values: { completedObjectives: [edit.entry] } };
    case 'enrol':
      return { ...enrolment, ...upsert, rowId: enrolmentId(userId, edit.courseId), creates: true };
    case 'leave':
      return { ...enrolment, op: 'delete' as const, rowId: enrolmentId(userId, edit.courseId) };
    case 'delete':
      return { table: entities[edit.key].name, rowId: edit.rowId, op: edit.op, creates: false, values: {} };
    default: {
      const where = { table: entities[edit.key].name, rowId: edit.rowId ?? userId };
      return { ...where, op: 'upsert' as const, creates: edit.op === 'insert', values: edit.values };
    }
  }
}

const WORDS_TABLE = entities.pronunciationImprovementSummary.name;

/** Returns an attempt at each word of the change, or at each word of the edit when the change is unknown. */
export function toWordAttempts(edit: Edit, fields: Wire): WordAttempts[] {
  if (edit.op !== 'words') return [];
  const entries = (fields['words'] ?? []) as { word: string; lastPracticedAt: string }[];
  const timeByWord = new Map(entries.map(({ word, lastPracticedAt }) => [word, lastPracticedAt]));
  const words = entries.length === 0 ? edit.words : edit.words.filter((word) => timeByWord.has(word));
  return words.map((word) => ({
    word,
    attempts: 1,
    meanAccuracy: edit.accuracy,
    isTotal: false,
    lastPracticedAt: timeByWord.get(word) ?? '',
  }));
}
