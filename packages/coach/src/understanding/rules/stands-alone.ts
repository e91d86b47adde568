/** Decides whether a question can be answered before it is asked. */
import type { DialogueNode } from '@parley/domain';
import { asksForMore } from './bare-reply.ts';

const LAST_QUESTION = /[^.!?]*\?(?=[^?]*$)/;
const REFERS_BACK =
  /\b(?:it|one|that|this|them|those|these|yours|then|which|later|earlier|instead|again|agreed?|wr(?:ite|itten)|to be sure|what now|what (?:do|can|shall) we do)\b/i;

/** "{date|That} works." repeats what the learner has just named. */
const REPEATS = /\{\w+\|/;

/**
 * A question that refers back ("What have we agreed on?", "Could you describe it?"), or that follows something to accept or repeat ("Room
 * fifteen. Have you got that?"), is about what was said before it: the same words mean something else at any other moment.
 * With `mayRepeat`, it may repeat a value: the same turn can name that value and answer the question.
 */
export function standsAlone(node: DialogueNode, { mayRepeat = false } = {}): boolean {
  const lines = Object.values(node.say);
  const questions = lines.flatMap((line) => LAST_QUESTION.exec(line) ?? []);
  const referring = questions.filter((question) => REFERS_BACK.test(question));
  return (
    asksForMore(node) &&
    referring.length <= questions.length / 2 &&
    (mayRepeat || !lines.some((line) => REPEATS.test(line)))
  );
}
