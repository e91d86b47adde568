/** Leaves out what the coach would say beside its next line, if that line answers the learner's question anyway. */
import type { DialogueNode, PracticeDifficulty } from '@parley/domain';
import { splitAddedQuestion } from '../rules/questions/added-question.ts';
import { lastQuestion, sharesContentWord } from '../rules/spoken-text.ts';
import { LEAVE_LEFT_OPEN, UNANSWERED } from './coach-phrases.ts';

/** "I'd have to look that up later" does not go with a line that answers the question. */
export function isAnsweredBy(line: string, told: { said: string; reactions: readonly string[] }): boolean {
  const isLeftOpen = told.reactions === UNANSWERED || told.reactions === LEAVE_LEFT_OPEN;
  return isLeftOpen && sharesContentWord(lastQuestion(told.said), statementsOf(line));
}

/** "How does that sound?" answers no question that begins with "how". */
const statementsOf = (line: string): string => line.replace(/[^.!?]+\?/g, '');

/** No question is turned back or left unanswered if the coach's reaction or next line answers it anyway. */
export function asideBefore(
  next: DialogueNode | undefined,
  told: { aside: string; difficulty: PracticeDifficulty; said: string; reaction: string },
): string {
  const { aside, difficulty, said, reaction } = told;
  const tells = [...UNANSWERED, ...LEAVE_LEFT_OPEN].includes(aside)
    ? sharesContentWord(lastQuestion(said), statementsOf(`${reaction} ${next?.say[difficulty] ?? ''}`))
    : splitAddedQuestion(said)?.kind === 'returned' && /^(?:as for me|me\b|i\b)|\bmy\b/i.test(next?.say.easy ?? '');
  return tells ? '' : aside;
}
