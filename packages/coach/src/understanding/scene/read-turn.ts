/** Reads a turn, and finds a short reply to a question that follows an answer in it. */
import type { Dialogue, DialogueNode, PracticeDifficulty } from '@parley/domain';
import { LEAVE_LEFT_OPEN, LEFT_OPEN, TURNED_BACK, UNANSWERED, UNDECIDED } from './coach-phrases.ts';
import { ABOUT_SCENE, factOfAct } from '../turn/look-around.ts';
import { asksItself } from './questions/other-questions.ts';
import {
  type AddedQuestion,
  splitAddedQuestion,
  splitLeadingQuestion,
  answersHowAreYou,
  asksLeave,
} from '../rules/questions/added-question.ts';
import { repliesTo } from './questions/reply-to-act.ts';
import { ABOUT_PERSON, COACH_NAME, OPINION, OTHER_LANGUAGE } from '../rules/questions/fixed-questions.ts';
import { lastQuestion } from '../rules/spoken-text.ts';
import type { SharedActs } from '../classification/shared-acts.ts';
import { type Meaning, meaningOfIntent } from '../turn/meaning.ts';
import { findTimeIntent } from '../rules/values/time-intent.ts';
import type { SceneReader } from '../turn/scene-reader.ts';

export interface TurnReading {
  /** The text that counts as said, without the question whether the answer suits the coach. */
  said: string;
  meaning: Meaning;
  /** The coach's answer to the question before it goes on; empty when there is nothing to say. */
  aside: string;
}

interface ReadingContext {
  node: DialogueNode;
  difficulty: PracticeDifficulty;
  dialogue: Dialogue;
  reader: SceneReader;
  shared: SharedActs;
  pick: (phrases: readonly string[]) => string;
}

const HOW_ARE_YOU = 'how-are-you';
/**
 * Questions that may be answered in passing. After others, such as "What does that mean?", the coach has to ask again.
 */
const ACTS_IN_PASSING: ReadonlySet<string> = new Set([
  ABOUT_SCENE,
  ABOUT_PERSON,
  COACH_NAME,
  OPINION,
  OTHER_LANGUAGE,
  HOW_ARE_YOU,
  'about-coach',
  'with-me',
  'sympathy',
]);
/** A question must resemble an example this much to be answered together with an answer. */
const MIN_SIMILARITY = 0.5;

export function readTurn(said: string, context: ReadingContext): TurnReading {
  const { node, reader } = context;
  const meaning = withNamedTime(node, said, reader.understand(node.key, said));
  const added = splitAddedQuestion(said) ?? (isAnswer(meaning) ? null : splitLeadingQuestion(said));
  const asIs: TurnReading = { said, meaning, aside: '' };
  if (added === null || reader.invitesQuestions(node.key) || isAsking(meaning)) return asIs;
  if (added.kind === 'returned' && answersHowAreYou(added.answer) && !asksHowItWas(node)) return asIs;
  const answered = reader.understand(node.key, added.answer);
  if (added.kind === 'approval') {
    if (!isAnswer(answered)) return asIs;
    return { said: added.answer, meaning: answered, aside: hasReaction(answered) ? '' : context.pick(LEFT_OPEN) };
  }
  if (isAnswer(meaning)) {
    // Without punctuation, the question may be a part of the answer, which then means less.
    const isMarked = added.kind === 'returned' || /[.!?…;]\s/.test(said);
    const told = isMarked && isAnswer(answered) ? answered : meaning;
    return { said, meaning: told, aside: replyBeside(told, added, context) };
  }
  if (answered.kind !== 'intent') return asIs;
  const aside = replyToQuestion(added, context);
  return aside === null ? asIs : { said, meaning: answered, aside };
}

/** The coach must not propose another time to a learner who has named one. */
function withNamedTime(node: DialogueNode, said: string, meaning: Meaning): Meaning {
  const intent = meaning.kind === 'intent' ? findTimeIntent(node, said) : null;
  return intent === null || (meaning.kind === 'intent' && meaning.intent === intent)
    ? meaning
    : meaningOfIntent(intent, said);
}

const isAnswer = (meaning: Meaning): meaning is Extract<Meaning, { kind: 'intent' | 'bridge' }> =>
  meaning.kind === 'intent' || (meaning.kind === 'bridge' && meaning.act === null);
const hasReaction = (meaning: Meaning): boolean => meaning.kind === 'intent' && meaning.intent.reactions.length > 0;

const isAsking = (meaning: Meaning): boolean =>
  meaning.kind === 'bridge' ? meaning.act !== null : meaning.kind === 'intent' && asksItself(meaning.intent);

const asksHowTheyAre = ({ say }: DialogueNode): boolean =>
  Object.values(say).some((line) => /\bhow (?:are|have) you\b/i.test(line));

/** "Good, thanks, how was yours?" also answers "How was your journey?". */
const asksHowItWas = (node: DialogueNode): boolean =>
  asksHowTheyAre(node) || Object.values(node.say).some((line) => /\bhow (?:is|was|were) your\b/i.test(line));

/** The question is part of a turn that has been understood, so only a reply that certainly fits is given. */
function replyBeside(meaning: Meaning, added: AddedQuestion, context: ReadingContext): string {
  const { reader, node, shared, pick } = context;
  if (added.kind === 'returned') return replyToQuestion(added, context) ?? '';
  if (added.kind === 'request') return hasReaction(meaning) ? '' : pick(LEFT_OPEN);
  const { act, similarity } = reader.actOf(node.key, added.question);
  const unanswered = repliesToUnknown(added.question);
  if (similarity < MIN_SIMILARITY) return pick(unanswered);
  const replies = act === ABOUT_SCENE || !ACTS_IN_PASSING.has(act) ? unanswered : repliesInPassing(shared, act);
  return findFact(act, context) ?? pick(replies);
}

/** Null when the question needs more than a reply in passing. */
function replyToQuestion({ kind, question }: AddedQuestion, context: ReadingContext): string | null {
  const { node, difficulty, reader, shared, pick } = context;
  if (kind === 'request') return pick(LEFT_OPEN);
  if (kind === 'returned') {
    if (asksHowTheyAre(node)) return pick(repliesInPassing(shared, HOW_ARE_YOU));
    const own = reader.actOf(node.key, lastQuestion(node.say[difficulty]));
    return (own.similarity >= MIN_SIMILARITY ? findFact(own.act, context) : null) ?? pick(TURNED_BACK);
  }
  const { act } = reader.actOf(node.key, question);
  const fact = findFact(act, context);
  if (fact !== null) return fact;
  if (!ACTS_IN_PASSING.has(act)) return null;
  return pick(act === ABOUT_SCENE ? repliesToUnknown(question) : repliesInPassing(shared, act));
}

/** Replies to a question that nothing in the scene answers. */
export const repliesToUnknown = (question: string): readonly string[] =>
  asksLeave(question) ? LEAVE_LEFT_OPEN : UNANSWERED;

const findFact = (act: string, { dialogue }: ReadingContext): string | null =>
  dialogue.facts?.find(({ key }) => key === factOfAct(act))?.answer ?? null;

/** Without repeating the coach's question. */
const repliesInPassing = (shared: SharedActs, act: string): string[] =>
  (act === OPINION ? UNDECIDED : repliesTo(act, shared))
    .map((reply) => reply.replaceAll(/\s*\{(?:line|simple)\}/g, '').trim())
    .filter((reply) => reply !== '' && !reply.replaceAll('{coach}', '').includes('{'));
