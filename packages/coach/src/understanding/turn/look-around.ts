/** The surroundings of a node: the texts that an answer is compared with, and the acts that a remark may be. */
import type { Dialogue, DialogueNode } from '@parley/domain';
import { findIntentsByStance, type IntentsByStance } from '../rules/bare-reply.ts';
import { mayAskToStop, STOP } from '../rules/corrections/corrections.ts';
import type { Surroundings } from './evidence.ts';
import { type FeatureReader, similarities, type TextFeatures } from '../classification/features.ts';
import {
  ABOUT_PERSON,
  COACH_NAME,
  findFixedQuestion,
  mayAskToRepeat,
  mayAskWhyAsked,
  OPINION,
  subjectOfQuestionToCoach,
  WHY_ASK,
} from '../rules/questions/fixed-questions.ts';
import { askableWords, fillWords, type SharedActs } from '../classification/shared-acts.ts';
import { parseSpoken, stem } from '../rules/spoken-text.ts';
import { isFunctionWord } from '../../text/comparable-words.ts';
import { lineStems } from '../classification/talk-features.ts';
import type { Training } from '../classification/training.ts';

/** A question, or a remark, that resembles no example of an act this much is answered neutrally. */
const MIN_ACT_SIMILARITY = 0.35;
const MIN_REMARK_SIMILARITY = 0.45;
/** How much more a question must resemble one that belongs to another node. */
const ELSEWHERE_MARGIN = 0.05;
/** From this similarity on, a question asks for a fact of the scene, even if it may be asked at another node as well. */
const SAME_QUESTION = 0.97;
/** The share of questions among an intent's examples from which learners are expected to ask. */
const EXPECTED_QUESTIONS = 0.25;
/** Where this share of the examples are questions, and this share ask what, who or how, a question about the scene is an answer. */
const INVITED_QUESTIONS = { all: 0.5, wh: 0.25 };

export type Around = Surroundings & {
  /** Stems of the content words of the coach's line. */
  lineStems: ReadonlySet<string>;
  acts: readonly Act[];
  /**
   * Learners' questions at other nodes. They have no answer here, and must not get that of an act which they happen to
   * resemble.
   */
  askedElsewhere: readonly TextFeatures[];
  /** Whether the coach has invited questions about the scene. */
  invitesQuestions: boolean;
  intentsByStance: IntentsByStance;
};

interface Act {
  act: string;
  features: TextFeatures;
  /** Stems of what a fact is about; null for an act that all scenes share. */
  about: ReadonlySet<string> | null;
}

const FACT = 'fact:';
export const ABOUT_SCENE = 'about-scene';
const ABOUT_COACH = 'about-coach';
export const isAboutScene = (act: string): boolean => act === ABOUT_SCENE || act === OPINION || factOfAct(act) !== null;
export const factOfAct = (act: string): string | null => (act.startsWith(FACT) ? act.slice(FACT.length) : null);

/** The shared texts are read step by step, because the first scene has to read thousands of them. */
export function* lookAround(
  dialogue: Dialogue,
  node: DialogueNode,
  given: {
    shared: SharedActs;
    read: FeatureReader;
    vocabulary: ReadonlySet<string>;
  },
): Training<Around> {
  const { shared, read, vocabulary } = given;
  const { intents = [], unforeseen = [] } = node.understanding ?? {};
  const lineWords = askableWords(node);
  // If two questions are equal, the one about a fact of the scene comes first.
  const actTexts = [
    ...(dialogue.facts ?? []).flatMap(({ key, asks }) => asks.map((text) => ({ act: FACT + key, text }))),
    ...Object.entries(shared.asks).flatMap(([act, { examples }]) =>
      fillWords(examples, lineWords).map((text) => ({ act, text })),
    ),
  ];
  const answerTexts = [...intents.flatMap(({ examples }) => examples), ...unforeseen];
  const offTexts = fillWords(shared.off, lineWords);
  const questionsElsewhere = dialogue.nodes
    .filter(({ key }) => key !== node.key)
    .flatMap((other) => other.understanding?.intents ?? [])
    .flatMap(({ examples }) => examples.filter((one) => one.includes('?')));
  const texts = [...actTexts.map((each) => each.text), ...offTexts, ...answerTexts, ...questionsElsewhere];
  for (const [index, text] of texts.entries()) {
    read(text);
    if (index % TEXTS_A_STEP === 0) yield;
  }
  const invited = new Set(intents.flatMap(({ examples }) => examples));
  const subjects = new Map(
    (dialogue.facts ?? []).map(({ key, answer, asks }) => [FACT + key, new Set([answer, ...asks].flatMap(subjectsOf))]),
  );
  const acts = actTexts.map(({ act, text }) => ({ act, features: read(text), about: subjects.get(act) ?? null }));
  return {
    acts,
    askedElsewhere: questionsElsewhere.map(read),
    answers: answerTexts.map(read),
    // Where the coach has invited a question, a question is an answer.
    asks: actTexts.filter(({ text }) => !invited.has(text)).map(({ text }) => read(text)),
    off: offTexts.map(read),
    lineWords: new Set(lineWords),
    lineStems: lineStems(Object.values(node.say)),
    expectsQuestions: intents.some(
      ({ examples }) => examples.filter((one) => one.includes('?')).length > examples.length * EXPECTED_QUESTIONS,
    ),
    isKnownHere: (word) => vocabulary.has(word),
    invitesQuestions: doInviteQuestions(intents.flatMap(({ examples }) => examples)),
    intentsByStance: findIntentsByStance(node),
  };
}

/** Requests, such as "Could you help me?", are questions that no question invites. */
const doInviteQuestions = (examples: readonly string[]): boolean =>
  examples.filter((one) => one.includes('?')).length > examples.length * INVITED_QUESTIONS.all &&
  examples.filter((one) => parseSpoken(one).question === 'wh').length > examples.length * INVITED_QUESTIONS.wh;

const TEXTS_A_STEP = 8;

/** The act of telling something that was not asked. */
export const TOLD = 'told';
const REPEAT = 'repeat';

export interface NearestAct {
  act: string;
  /** How much the nearest example resembles what was said; 1 or more for the same words. */
  similarity: number;
}

/** Words with which anything may be asked for. */
const ASKING_WORDS: ReadonlySet<string> = new Set(
  (
    'what when where who which why how whose can could would find get go know tell see look show want need like think say ask let excuse sorry hello ' +
    'yes okay also again exactly much many long any some one ones thing things place way kind sort possible right now today back more other question'
  )
    .split(' ')
    .map(stem),
);

const subjectsOf = (text: string): string[] =>
  parseSpoken(text).words.flatMap((word) => {
    const root = stem(word);
    return word.length < 3 || isFunctionWord(word) || ASKING_WORDS.has(root) ? [] : root;
  });

/** "Where can I find the printer?" does not ask where the toilets are, however similar the questions sound. */
function asksFor(text: string): (act: Act) => boolean {
  const asked = subjectsOf(text);
  return ({ about }) => about === null || asked.length === 0 || asked.some((root) => about.has(root));
}

/** The coach answers as the person whom it plays, unless it is asked what it is. */
function inCharacter(act: string, text: string): string {
  if (act !== ABOUT_COACH) return act;
  const subject = subjectOfQuestionToCoach(text);
  return subject === 'machine' ? act : subject === 'name' ? COACH_NAME : ABOUT_PERSON;
}

/** A question is compared with questions only, so that it is not taken for a greeting. What resembles no example gets a neutral reply. */
export function findNearestAct(text: string, read: FeatureReader, { acts, askedElsewhere }: Around): NearestAct {
  const fixed = findFixedQuestion(text);
  if (fixed !== null) return { act: fixed, similarity: 1 };
  const said = read(text);
  const isAsking = said.isQuestion;
  const candidates = acts.filter(({ features }) => !isAsking || features.isQuestion).filter(asksFor(text));
  const all = similarities(
    said,
    candidates.map(({ features }) => features),
  );
  const similarity = Math.max(...all);
  if (isAsking && similarity < MIN_ACT_SIMILARITY) return { act: ABOUT_SCENE, similarity };
  if (!isAsking && similarity < MIN_REMARK_SIMILARITY) return { act: TOLD, similarity };
  const nearest = candidates[all.indexOf(similarity)]?.act ?? REPEAT;
  if (nearest === STOP && !mayAskToStop(text)) return { act: isAsking ? ABOUT_SCENE : TOLD, similarity };
  if (nearest === REPEAT && !mayAskToRepeat(text)) return { act: isAsking ? ABOUT_SCENE : TOLD, similarity };
  if (nearest === WHY_ASK && !mayAskWhyAsked(text)) return { act: ABOUT_SCENE, similarity };
  const act = inCharacter(nearest, text);
  if (similarity >= SAME_QUESTION && factOfAct(act) !== null) return { act, similarity };
  const isElsewhere = Math.max(0, ...similarities(said, askedElsewhere)) > similarity + ELSEWHERE_MARGIN;
  return { act: isElsewhere ? ABOUT_SCENE : act, similarity };
}

export const nearestAct = (text: string, read: FeatureReader, around: Around): string =>
  findNearestAct(text, read, around).act;

export function vocabularyOf({ nodes, topic = [] }: Dialogue): ReadonlySet<string> {
  const texts = nodes.flatMap(({ say, understanding }) => [
    ...Object.values(say),
    ...(understanding?.intents.flatMap(({ examples }) => examples) ?? []),
    ...(understanding?.unforeseen ?? []),
  ]);
  return new Set([...topic, ...texts.flatMap((text) => parseSpoken(text).words)]);
}
