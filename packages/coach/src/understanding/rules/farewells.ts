/** Recognises turns that take leave, and leaves a goodbye after an answer out of account. */
import type { Dialogue, DialogueIntent, DialogueNode } from '@parley/domain';
import { comparableWords } from '../../text/comparable-words.ts';
import { isFarewell } from './corrections/corrections.ts';

const THANKS = '(?:many )?(?:thank you|thanks)(?: (?:so|very) much| a lot)?';
const GOODBYE =
  '(?:(?:good)?bye(?:[ -]bye)?|see you(?: (?:soon|later|then|tomorrow|around|again|there|next (?:week|time)|in \\w+ (?:days?|weeks?)))?|have a (?:nice|good|great|lovely) \\w+|good night|take care)';
const AT_END = new RegExp(
  `(?:^|[,.;!?]+\\s*|\\s+(?=(?:and |so |okay |ok )*${THANKS}))(?:(?:and|so|then|okay|ok)[\\s,]+)*(?:${THANKS}[\\s,.!]+(?:and\\s+)?)?${GOODBYE}[\\s.!]*$`,
  'i',
);
const ONLY_THANKS = new RegExp(
  `^(?:(?:okay|well|so|no|yes|all right|good|great|perfect) )*(?:${THANKS}(?: for (?:\\w+ ){1,6}\\w+)?(?: \\w+)?)?$`,
);

interface Leaving {
  /** What was said before the goodbye; empty when that only thanked. */
  said: string;
}

/** Null for a turn without a goodbye. */
export function findLeaving(text: string): Leaving | null {
  if (isFarewell(text)) return { said: '' };
  const rest = text.replace(AT_END, '').trim();
  if (rest === text.trim()) return null;
  return { said: ONLY_THANKS.test(comparableWords(rest).join(' ')) ? '' : rest };
}

/** Whether the scene ends after this question, at every level, if nobody answers it. */
export function isLastQuestion({ nodes }: Dialogue, { understanding }: DialogueNode): boolean {
  const next = Object.values(understanding?.bridge ?? {});
  const endings = new Set(nodes.filter((node) => node.understanding === undefined).map(({ key }) => key));
  return next.length > 0 && next.every((key) => endings.has(key));
}

/** Whether the coach asks what else the learner would like, which a goodbye answers with "Nothing". */
export const asksForMoreRequests = ({ say }: DialogueNode): boolean =>
  Object.values(say).filter((line) => /\b(?:questions?|else|ask|know|looking for|help you with)\b[^.!?]*\?/i.test(line))
    .length > 1;

const isThanking = ({ examples }: DialogueIntent): boolean =>
  examples.filter((example) => /\bthank/i.test(example)).length > examples.length / 2;

/** The intent of a learner who thanks before leaving, where that is an answer. */
export const findThanks = ({ understanding }: DialogueNode, text: string): DialogueIntent | undefined =>
  /\bthank/i.test(text) ? understanding?.intents.find(isThanking) : undefined;
