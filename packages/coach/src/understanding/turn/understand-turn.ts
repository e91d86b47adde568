/** Interprets a learner's turn at the current node, by combining the node's classifier with rules. */
import type { Dialogue, DialogueIntent, DialogueNode } from '@parley/domain';
import {
  asksForMore,
  asksSomething,
  intentsOf,
  makesRequest,
  mayMeetObjectives,
  reasonToDecline,
  type Stance,
  stanceOf,
  stanceOfSentence,
  UNSURE,
  wantsToSkip,
} from '../rules/bare-reply.ts';
import {
  actOfReminder,
  asksToStopPractising,
  CORRECTION,
  findCorrection,
  isFarewell,
  STOP,
  withoutReminder,
} from '../rules/corrections/corrections.ts';
import { findClearestPart, provenBy } from './clauses.ts';
import { mergeProofs } from './evidence.ts';
import type { BaseReader } from '../classification/features.ts';
import {
  GO_AHEAD,
  isElliptic,
  isOnlyAnnouncement,
  isYesOrNo,
  offersTheFloor,
  withoutAnnouncement,
} from '../rules/elliptic-reply.ts';
import { actOfDistress } from '../rules/distress.ts';
import { onlyEvades, onlyPromises, tellsNothing } from '../rules/evasions.ts';
import { checkLanguage } from '../rules/language-check.ts';
import { findNearestAct, isAboutScene, nearestAct, TOLD, vocabularyOf } from './look-around.ts';
import { correctedValue } from '../rules/corrections/self-corrections.ts';
import { findChosen } from '../rules/choices.ts';
import {
  answersByAsking,
  findFixedQuestion,
  HELP,
  isOfHearing,
  TIME_TO_THINK,
} from '../rules/questions/fixed-questions.ts';
import { asksForDay, ONLY_TIME, onlyNamesTime, onlyRulesOutDay, RULED_OUT } from '../rules/values/ruled-out-day.ts';
import { asksForMoreRequests, findLeaving, findThanks, isLastQuestion } from '../rules/farewells.ts';
import { findOwnExample } from '../rules/own-examples.ts';
import type { SharedActs } from '../classification/shared-acts.ts';
import { createBareNames, exchangesNameAndNumber, findNameIntent, saysOwnName } from '../rules/values/names.ts';
import { spellOutFigures, wordsBesideFigures } from '../rules/values/figures.ts';
import { createPeople } from '../rules/values/people.ts';
import { isAboutValueOf } from '../rules/values/time-intent.ts';
import { proposesValue } from '../rules/values/proposed-value.ts';
import { findSlots } from '../rules/values/slots.ts';
import {
  isOnlyHesitation,
  isProposal,
  isQuestion,
  isStatement,
  parseSpoken,
  splitClauses,
  splitQuestions,
} from '../rules/spoken-text.ts';
import { asOffer, asStatedRequest, expectsOffers, expectsRequests } from '../rules/requests.ts';
import type { SharedModels } from '../classification/shared-models.ts';
import { createProvableWords } from './provable-words.ts';
import { decideMeaning, isInformative, type Meaning, meaningOfIntent, withProofsOf } from './meaning.ts';
import type { SceneReader } from './scene-reader.ts';
import { createNodeModels } from './node-models.ts';
import { createValueReader } from './read-values.ts';

/** The threshold for answers to questions that the coach has not asked yet. */
const MIN_ANTICIPATED = 0.75;
/** Five minutes of speech. The rest of a longer text is not read, so that no text keeps the coach busy. */
export const MAX_READ_CHARACTERS = 5_000;

export function createSceneReader(
  dialogue: Dialogue,
  shared: SharedActs,
  { readBase, loadModels }: { readBase: BaseReader; loadModels: () => SharedModels },
): SceneReader {
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const vocabulary = vocabularyOf(dialogue);
  const { features, aroundOf, evidenceAt, weigh, trainablesOf } = createNodeModels(dialogue, {
    shared,
    vocabulary,
    readBase,
    loadModels,
  });
  const bareNames = createBareNames(shared, dialogue);
  const withPronouns = createPeople(dialogue);

  const provable = createProvableWords(dialogue);
  const mayProve = (node: DialogueNode, intent: DialogueIntent, text: string): boolean =>
    intent.proves.length === 0 || intent.proves.some((objective) => provable(node.key, objective, text).told !== '');

  /** "I'll call you on Monday" does not say which day suits. */
  const isPromiseInstead = (intent: DialogueIntent, text: string): boolean =>
    onlyPromises(text) && isAboutValueOf(text, intent) && !intent.examples.some(onlyPromises);

  function meaningOfBareName(node: DialogueNode, words: string): Meaning | null {
    const intent = bareNames.expectedAt(node);
    if (intent === null || !bareNames.isBareName(words)) return null;
    return meaningOfIntent(intent, words);
  }

  function findIntentOf(stance: Stance, node: DialogueNode, text: string): DialogueIntent | undefined {
    const expected = intentsOf(stance, node, aroundOf(node).intentsByStance);
    return weigh(node, text).intents.find((each) => expected.has(each.intent.key))?.intent;
  }

  /**
   * An author's example, or what amounts to one. A bare reply moves the scene on, but need not say what its objective
   * asks for.
   */
  function meaningOfOwn(node: DialogueNode, intent: DialogueIntent, text: string): Meaning {
    const stance = stanceOf(text);
    const isEnough = stance === null || mayMeetObjectives(stance, node, intent, aroundOf(node).intentsByStance);
    return meaningOfIntent(isEnough ? intent : { ...intent, proves: [] }, text);
  }

  /**
   * Few words give the classifier little evidence. The author's own examples of such replies decide, and without one
   * the coach asks for more.
   */
  function meaningOfBareReply(node: DialogueNode, text: string): Meaning | null {
    if (wantsToSkip(text) && asksSomething(node)) return { kind: 'declined' };
    const stance = stanceOf(text);
    if (stance === null) return null;
    const intent = findIntentOf(stance, node, text);
    if (intent !== undefined) return meaningOfOwn(node, intent, text);
    if (!asksSomething(node)) return null;
    if (stance === 'declined') return { kind: 'declined' };
    if (stance === 'unsure') return { kind: 'asks', act: UNSURE };
    return asksForMore(node) ? { kind: 'asks', act: HELP } : null;
  }

  /**
   * A whole sentence that only agrees or refuses means the same as "Yes." or "No.", where the coach asks for something
   * or proposes it.
   */
  function meaningOfSentence(node: DialogueNode, text: string): Meaning | null {
    const stance = stanceOfSentence(text);
    if (stance === null || !makesRequest(node) || (stance === 'yes' && asksForMore(node))) return null;
    const intent = findIntentOf(stance, node, text);
    return intent === undefined ? null : meaningOfIntent(intent, text);
  }

  /** "The latter" means what the coach has named last. */
  function meaningOfChoice(node: DialogueNode, text: string): Meaning | null {
    const chosen = findChosen(node, text);
    const meaning = chosen === null ? null : readPeople(node, chosen);
    return meaning?.kind === 'intent' ? { ...meaning, words: text } : null;
  }

  const asksForValueOf = ({ understanding }: DialogueNode, words: string): boolean => {
    const found = findSlots(parseSpoken(spellOutFigures(words)).plain);
    return understanding?.slots.some((slot) => found.includes(slot)) === true;
  };

  /** "No wait, Thursday" answers as "Thursday" does, where the coach asks for a day. */
  function withoutMark(node: DialogueNode, text: string): string {
    const value = correctedValue(text);
    return value !== null && asksForValueOf(node, value) ? value : text;
  }

  /** Acts that no question invites: a detail that is put right, and "I told you already". */
  function meaningOfCertainRemark(node: DialogueNode, text: string): Meaning | null {
    const reminder = actOfReminder(node, text);
    if (reminder !== null) return { kind: 'asks', act: reminder };
    const correction = findCorrection(text);
    return correction?.isCertain === true && !asksForValueOf(node, correction.detail)
      ? { kind: 'asks', act: CORRECTION }
      : null;
  }

  /**
   * A goodbye ends the scene at its last question. Before that, the learner may stop there, or have nothing else to
   * say. Words such as "tomorrow" may resemble an answer.
   */
  function meaningOfGoodbye(node: DialogueNode, text: string): Meaning {
    const thanking = findThanks(node, text);
    if (thanking !== undefined) return meaningOfIntent(thanking, text);
    const meaning = readRequest(node, text);
    if (meaning.kind === 'intent' && meaning.intent.examples.some(isFarewell)) return meaning;
    const nothing = offersTheFloor(node) && asksForMoreRequests(node) ? meaningOfBareReply(node, 'No.') : null;
    if (nothing !== null) return nothing;
    return isLastQuestion(dialogue, node)
      ? { kind: 'bridge', words: text, confidence: 0, proves: new Map(), act: null }
      : { kind: 'asks', act: STOP };
  }

  /** Acts that may be a remark unless they answer the coach's question. */
  function meaningOfRemark(node: DialogueNode, text: string, meaning: Meaning): Meaning {
    if (meaning.kind === 'intent') return meaning;
    if (meaning.kind === 'off' || (meaning.kind === 'bridge' && meaning.act === null)) {
      const act = findFixedQuestion(text);
      if (act !== null) return { kind: 'asks', act };
    }
    if (meaning.kind === 'asks' && ((isAboutScene(meaning.act) && isProposal(text)) || proposesValue(text)))
      return { kind: 'bridge', words: text, confidence: 0, proves: new Map(), act: null };
    const isBridge = meaning.kind === 'bridge';
    const around = aroundOf(node);
    if (findCorrection(text) !== null && (!isBridge || /^no\b/i.test(text))) return { kind: 'asks', act: CORRECTION };
    if (!isBridge || meaning.act !== null || !around.invitesQuestions) return meaning;
    if (isStatement(text)) return { kind: 'asks', act: TOLD };
    const act = isQuestion(text) ? nearestAct(text, features, around) : null;
    return { ...meaning, act: act !== null && isAboutScene(act) ? act : null };
  }

  const readValues = createValueReader({ weigh, read });

  /** "Ask Laura to call me" means what "Ask her to call me" does. */
  function readPeople(node: DialogueNode, text: string): Meaning {
    const named = readValues(node, text);
    const spoken = withPronouns(text);
    const other = spoken === null ? null : readValues(node, spoken);
    if (other?.kind !== 'intent') return named;
    if (named.kind !== 'intent') return { ...other, words: text };
    return withProofsOf(named, other);
  }

  /** "I'd love to, but I have a meeting" declines, although it begins as "I'd love to" does. */
  function readRefusal(node: DialogueNode, text: string): Meaning {
    const meaning = readPeople(node, text);
    const reason = reasonToDecline(text);
    const accepting = intentsOf('yes', node, aroundOf(node).intentsByStance);
    if (reason === null || meaning.kind !== 'intent' || !accepting.has(meaning.intent.key)) return meaning;
    const given = readPeople(node, reason);
    const declining = given.kind === 'intent' ? given.intent : findIntentOf('no', node, text);
    return declining === undefined ? meaning : meaningOfIntent(declining, text);
  }

  /** "Can you give me access?" means what "I need access" does, where such requests are expected. */
  function readRequest(node: DialogueNode, text: string): Meaning {
    const meaning = readRefusal(node, text);
    if (meaning.kind === 'asks' && isOfHearing(meaning.act)) {
      const asked = weigh(node, text).intents.find(({ intent }) => answersByAsking(intent))?.intent;
      return asked === undefined ? meaning : meaningOfIntent(asked, text);
    }
    const offer = meaning.kind === 'asks' ? asOffer(text) : null;
    const offered = offer === null ? meaning : readRefusal(node, offer);
    if (offer !== null && offered.kind === 'intent' && expectsOffers(offered.intent))
      return { ...offered, words: text };
    const stated = meaning.kind === 'asks' && !isAboutScene(meaning.act) ? asStatedRequest(text) : null;
    if (stated === null) return meaning;
    const wanted = readRefusal(node, stated);
    const isExpected = expectsRequests(node, wanted.kind === 'intent' ? wanted.intent : null);
    return isExpected && (wanted.kind === 'intent' || wanted.kind === 'bridge') ? { ...wanted, words: text } : meaning;
  }

  /** The objectives of the clauses that an author gives as examples, word for word. */
  const provenByExamples = (node: DialogueNode, clauses: readonly string[]): Map<string, number> =>
    new Map(
      clauses
        .filter((clause) => !isElliptic(clause))
        .flatMap((clause) => findOwnExample(node, clause)?.proves ?? [])
        .map((objective) => [objective, 1]),
    );

  /** A question that is among the author's own examples is an answer, although most such questions are remarks to the coach. */
  function meaningOfInvited(node: DialogueNode, clauses: readonly string[]): Meaning | null {
    for (const clause of clauses.filter((each) => isQuestion(each) && !isElliptic(each))) {
      const intent = findOwnExample(node, clause);
      if (intent !== null) return meaningOfIntent(intent, clause);
    }
    return null;
  }

  function read(node: DialogueNode, text: string): Meaning {
    const clearest = findClearestPart(weigh(node, text), text, node, weigh);
    const best = onlyEvades(text)
      ? {
          ...clearest,
          intents: clearest.intents.filter(
            ({ intent }) => mayProve(node, intent, text) && !isPromiseInstead(intent, text),
          ),
        }
      : clearest;
    const around = aroundOf(node);
    const clauses = splitClauses(text).filter((clause) => !tellsNothing(clause));
    const proves = mergeProofs(
      provenBy(best, clauses, (words) => weigh(node, words)),
      provenByExamples(node, clauses),
    );
    const meaning = decideMeaning({ ...best, proves }, around.invitesQuestions, () =>
      isYesOrNo(best.words) ? HELP : nearestAct(best.words, features, around),
    );
    const isAsking = meaning.kind === 'asks' || (meaning.kind === 'bridge' && meaning.act !== null);
    const invited = isAsking ? meaningOfInvited(node, [...clauses, ...splitQuestions(text)]) : null;
    if (invited !== null) return invited;
    const isOther = meaning.kind === 'intent' && meaning.intent !== bareNames.expectedAt(node);
    return (isOther ? null : meaningOfBareName(node, text)) ?? meaning;
  }

  return {
    provableWords: provable,
    actOf: (key, question) => {
      const node = nodes.get(key);
      return node === undefined ? { act: HELP, similarity: 0 } : findNearestAct(question, features, aroundOf(node));
    },
    invitesQuestions: (key) => {
      const node = nodes.get(key);
      return node !== undefined && aroundOf(node).invitesQuestions;
    },
    modelsAt: (key) => {
      const understood = dialogue.nodes.filter(({ understanding }) => understanding !== undefined);
      return understood.toSorted((a, b) => Number(b.key === key) - Number(a.key === key)).flatMap(trainablesOf);
    },
    evidence: (key, text) => {
      const node = nodes.get(key);
      return node === undefined ? [] : evidenceAt(node, text);
    },
    understand: (key, said) => {
      const node = nodes.get(key);
      const announced = withoutAnnouncement(said.slice(0, MAX_READ_CHARACTERS));
      if (announced.trim() === '' || node === undefined) return { kind: 'unheard', isForeign: false };
      const whole = findOwnExample(node, announced) === null ? withoutReminder(announced) : announced;
      const own = findOwnExample(node, whole);
      if (own !== null) return meaningOfOwn(node, own, whole);
      const leaving = findLeaving(whole);
      if (leaving?.said === '') return meaningOfGoodbye(node, whole);
      const text = withoutMark(node, leaving?.said ?? whole);
      const distress = actOfDistress(node, text);
      if (distress !== null || asksToStopPractising(text)) return { kind: 'asks', act: distress ?? STOP };
      if (exchangesNameAndNumber(node, text, bareNames.expectedAt(node) !== null)) return { kind: 'off' };
      if (isOnlyHesitation(text)) return { kind: 'asks', act: TIME_TO_THINK };
      // An announced question must not count as one, let alone be answered.
      if (isOnlyAnnouncement(text) && offersTheFloor(node)) return { kind: 'asks', act: GO_AHEAD };
      const bare = meaningOfBareReply(node, text) ?? meaningOfSentence(node, text) ?? meaningOfChoice(node, text);
      if (bare !== null) return bare;
      if (onlyRulesOutDay(text) && asksForDay(node)) return { kind: 'asks', act: RULED_OUT };
      if (onlyNamesTime(node, text)) return { kind: 'asks', act: ONLY_TIME };
      const isName = node.understanding?.slots.includes('name') === true;
      const { isEnglish, isForeign } = checkLanguage(wordsBesideFigures(text), (word) => vocabulary.has(word));
      if (!isEnglish && !isName) return { kind: 'unheard', isForeign: isForeign && !bareNames.isBareName(text) };
      return meaningOfCertainRemark(node, text) ?? meaningOfRemark(node, text, readRequest(node, text));
    },
    anticipate: (key, said) => {
      const node = nodes.get(key);
      const text = withoutReminder(said.slice(0, MAX_READ_CHARACTERS));
      if (node?.understanding === undefined) return null;
      if (exchangesNameAndNumber(node, text, bareNames.expectedAt(node) !== null)) return null;
      const nameIntent = saysOwnName(text) ? findNameIntent(node) : null;
      // A name is often too short for a clause of its own, and may accompany anything else that a learner says.
      if (nameIntent !== null) return { intent: nameIntent, words: text, confidence: 1 };
      for (const words of [text, ...splitClauses(text)].filter(
        (part) => !isElliptic(part) && stanceOf(part) === null && !tellsNothing(part),
      )) {
        const { intents, foreseen, fits } = weigh(node, words);
        const [top] = intents;
        const sum = intents.reduce((total, { probability }) => total + probability, 0);
        const confidence = Math.min(foreseen, fits);
        const isClear = confidence > MIN_ANTICIPATED;
        const isUsable = (intent: DialogueIntent): boolean =>
          isInformative(node, intent) && mayProve(node, intent, words);
        if (top !== undefined && isClear && top.probability > sum / 2 && isUsable(top.intent))
          return { intent: top.intent, words, confidence };
      }
      return null;
    },
  };
}
