/** Answers a remark to the coach: a shared act such as a request to repeat, or a question about a fact of the scene. */
import type { Dialogue, DialogueNode } from '@parley/domain';
import { LEAVE_LEFT_OPEN, TO_CHOICE, TO_FIXED_ACTS } from '../coach-phrases.ts';
import { CORRECTION, findCorrection } from '../../rules/corrections/corrections.ts';
import { GO_AHEAD } from '../../rules/elliptic-reply.ts';
import { askableWords, type SharedActs } from '../../classification/shared-acts.ts';
import { comparableWords } from '../../../text/comparable-words.ts';
import { lastQuestion, parseSpoken } from '../../rules/spoken-text.ts';
import { capitalised } from '../../rules/values/slots.ts';
import { asksLeave } from '../../rules/questions/added-question.ts';
import { ABOUT_SCENE, factOfAct } from '../../turn/look-around.ts';

interface Explained {
  word: string;
  meaning: string;
}

export function replyToAct(
  { line, simple, said }: { line: string; simple: string; said: string },
  act: string,
  scene: {
    node: DialogueNode;
    dialogue: Dialogue;
    cast: { shared: SharedActs; words?: readonly Explained[] };
    pick: (phrases: readonly string[]) => string;
    /** False to answer without repeating the coach's own question, so that two equal questions get different replies. */
    restates: boolean;
  },
): string {
  const { node, dialogue, cast, pick, restates } = scene;
  const fact = dialogue.facts?.find(({ key }) => key === factOfAct(act));
  if (fact !== undefined) return restates ? `${fact.answer} ${simple}` : fact.answer;
  const asked = wordAskedAbout(node, said, cast.words ?? []);
  const detail = act === CORRECTION ? (findCorrection(said)?.detail ?? null) : null;
  const isAskedForLeave = act === ABOUT_SCENE && asksLeave(lastQuestion(said));
  const possible =
    act === CLARIFY && offersChoice(said) ? TO_CHOICE : isAskedForLeave ? LEAVE_LEFT_OPEN : repliesTo(act, cast.shared);
  const replies = possible.filter(
    (each) =>
      each.includes('{corrected}') === (detail !== null) &&
      (asked !== null || !each.includes('{word}')) &&
      ((asked?.meaning ?? null) !== null || !each.includes('{meaning}')),
  );
  const reply = pick(replies) || '{simple}';
  const again = act === REPEAT || act === LOUDER || line.split(' ').length <= MAX_REPEATED_WORDS ? line : simple;
  const filled = reply
    .replaceAll('{line}', again)
    .replaceAll('{simple}', simple)
    .replaceAll('{corrected}', capitalised(detail ?? ''))
    .replaceAll('{word}', asked?.word ?? '')
    .replaceAll('{meaning}', asked?.meaning ?? '')
    .replaceAll('{letters}', [...(asked?.word ?? '').toUpperCase()].join('-'));
  const asksAgain = reply.includes('{line}') || reply.includes('{simple}');
  return asksAgain || act === GO_AHEAD ? filled : `${filled} ${simple}`.trim();
}

const REPEAT = 'repeat';
const LOUDER = 'louder';
/** A line with more words is repeated only for a learner who has not heard it. */
const MAX_REPEATED_WORDS = 25;

const CLARIFY = 'clarify';
/** "Today or tomorrow?", but not "Is it free or not?" */
const offersChoice = (said: string): boolean => /\bor (?!not\b)\w/.test(comparableWords(said).join(' '));

export const repliesTo = (act: string, shared: SharedActs): readonly string[] =>
  TO_FIXED_ACTS[act] ?? shared.asks[act]?.replies ?? [];

/** A word of the practice or of the coach's line, with its meaning where the practice explains it. */
function wordAskedAbout(
  node: DialogueNode,
  said: string,
  words: readonly Explained[],
): { word: string; meaning: string | null } | null {
  const stems = new Set(parseSpoken(said).stems);
  const isAsked = (word: string): boolean => parseSpoken(word).stems.every((each) => stems.has(each));
  const explained = words.find(({ word }) => isAsked(word));
  if (explained !== undefined) return explained;
  const word = askableWords(node).find(isAsked);
  return word === undefined ? null : { word, meaning: null };
}
