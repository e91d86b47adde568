/** Derives feedback from measurements alone: the best point, one fix, and one next step. Everything is a code with its values. */
import {
  type Feedback,
  type FeedbackPoint,
  isSpokenWord,
  listedSpelling,
  MAX_POINT_WORD,
  MISPRONUNCIATION_THRESHOLD,
  PRACTICE_DIFFICULTIES,
  storeFeedbackPoint,
  type TurnId,
  type WordAssessment,
} from '@parley/domain';
import { chooseFix, measuredDimensions, scoredTurns } from './choose-fix.ts';
import type { SessionToReview } from './session-to-review.ts';
import { wordsToTrain } from './words-to-train.ts';

export interface FeedbackPoints {
  best: FeedbackPoint;
  fix: FeedbackPoint;
  nextStep: FeedbackPoint;
}

const GOOD_SCORE = 70;
/** From this score on, a word or a sentence is clear. */
const CLEAR_SCORE = 80;
/** A shorter sentence is too easy to praise. */
const MIN_PRAISED_WORDS = 4;
/** With only one sentence, there is no clearest one to name. */
const MIN_COMPARED_TURNS = 2;
const WORDS_IN_A_STEP = 3;

export function chooseFeedback(session: SessionToReview): FeedbackPoints {
  const fix = chooseFix(session);
  return { best: chooseBest(session, fix), fix, nextStep: chooseNextStep(session, fix) };
}

/** Fills the texts of the row. `coachSays` is the review of a model coach for the same session. */
export function toStoredFeedback(
  session: SessionToReview,
  coachSays: { best: string | null; fix: string | null } = { best: null, fix: null },
): Pick<Feedback, 'best' | 'fix' | 'nextStep' | 'wordsToTrain'> {
  const points = chooseFeedback(session);
  return {
    best: storeFeedbackPoint(points.best, coachSays.best),
    fix: storeFeedbackPoint(points.fix, coachSays.fix),
    nextStep: storeFeedbackPoint(points.nextStep),
    wordsToTrain: wordsOf(session),
  };
}

export function toStoredSummary(session: SessionToReview): string {
  const { objectives, objectivesJudged: isJudged, scores, turns } = session;
  return storeFeedbackPoint({
    code: 'session',
    turns: turns.length,
    done: objectives.filter(({ isDone }) => isDone).length,
    total: objectives.length,
    isJudged,
    pron: scores.pron === null ? null : Math.round(scores.pron),
  });
}

const wordsOf = (session: SessionToReview) => wordsToTrain(scoredTurns(session).map(({ assessment }) => assessment));

function chooseBest(session: SessionToReview, fix: FeedbackPoint): FeedbackPoint {
  if (session.turns.length === 0) return { code: 'nothing_said' };
  const sentences = sentencesToPraise(session, 'turnId' in fix ? fix.turnId : null);
  return (
    clearSentence(sentences) ??
    steadyFlow(session, sentences) ??
    clearestSentence(session, sentences) ??
    bestDimension(session, fix) ??
    bestOfObjectives(session)
  );
}

interface SaidSentence {
  place: { turnId: TurnId; startMs: number; endMs: number };
  said: WordAssessment[];
  /** 0 to 100. */
  score: number;
}

/** The clearest first. A sentence that is also the one to fix is not praised. */
function sentencesToPraise(session: SessionToReview, toFix: TurnId | null | undefined): SaidSentence[] {
  return scoredTurns(session)
    .flatMap(({ turnId, assessment: { words, pron } }) => {
      const said = words.filter(isSpokenWord);
      const [first, last] = [said[0], said.at(-1)];
      if (turnId === toFix || pron === null || first === undefined || last === undefined) return [];
      const place = { turnId, startMs: Math.round(first.startMs), endMs: Math.round(last.endMs) };
      return [{ place, said, score: pron }];
    })
    .toSorted((a, b) => b.score - a.score);
}

const isLongEnough = ({ said }: SaidSentence): boolean => said.length >= MIN_PRAISED_WORDS;

const toPoint = ({ place, said, score }: SaidSentence): FeedbackPoint => ({
  code: 'clear_sentence',
  ...place,
  score: Math.round(score),
  isEveryWordClear: said.every(({ accuracy }) => accuracy !== null && accuracy >= CLEAR_SCORE),
});

function clearSentence(sentences: readonly SaidSentence[]): FeedbackPoint | null {
  const clear = sentences.find(
    (sentence) =>
      sentence.score >= CLEAR_SCORE &&
      isLongEnough(sentence) &&
      sentence.said.every(({ accuracy }) => accuracy === null || accuracy >= MISPRONUNCIATION_THRESHOLD),
  );
  return clear === undefined ? null : toPoint(clear);
}

/** If no sentence was clear, one was still clearer than the others. */
function clearestSentence(session: SessionToReview, sentences: readonly SaidSentence[]): FeedbackPoint | null {
  if (scoredTurns(session).length < MIN_COMPARED_TURNS) return null;
  const best = sentences.find(isLongEnough) ?? sentences[0];
  return best === undefined ? null : toPoint(best);
}

/** The longest sentence best shows that nothing interrupted it. */
function steadyFlow(session: SessionToReview, sentences: readonly SaidSentence[]): FeedbackPoint | null {
  const scored = scoredTurns(session);
  const { fluency } = session.scores;
  const hasBreak = scored.some(({ assessment }) => assessment.words.some(({ error }) => error === 'UnexpectedBreak'));
  const [longest] = sentences.toSorted((a, b) => b.said.length - a.said.length);
  return scored.length < MIN_COMPARED_TURNS || fluency === null || fluency < CLEAR_SCORE || hasBreak
    ? null
    : { code: 'steady', turns: scored.length, score: Math.round(fluency), ...longest?.place };
}

function bestDimension(session: SessionToReview, fix: FeedbackPoint): FeedbackPoint | null {
  const [best] = measuredDimensions(session)
    // Completeness is not praised: reading a hint aloud includes every word of it.
    .filter(({ dimension }) => dimension !== 'completeness')
    .filter(({ dimension }) => !('dimension' in fix) || fix.dimension !== dimension)
    .toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score < GOOD_SCORE ? null : { code: 'best_dimension', ...best };
}

function bestOfObjectives({ objectives, turns }: SessionToReview): FeedbackPoint {
  const proved = objectives.flatMap(({ objectiveId, isDone, provedIn }) =>
    isDone ? [{ objectiveId, turnId: provedIn }] : [],
  );
  const [first] = proved;
  if (first === undefined) return { code: 'kept_going', turns: turns.length };
  return proved.length === objectives.length
    ? { code: 'all_objectives', total: proved.length }
    : { code: 'objective_reached', ...first };
}

function chooseNextStep(session: SessionToReview, fix: FeedbackPoint): FeedbackPoint {
  switch (fix.code) {
    case 'nothing_said':
      return { code: 'again', objectiveId: null };
    case 'not_scored':
      return { code: 'check_microphone' };
    case 'pause':
    case 'flat':
    case 'left_out':
      return { code: 'shadow', turnId: fix.turnId };
    case 'correction':
      return { code: 'say_better', index: fix.index };
    case 'weak_sentence':
      if (fix.score < CLEAR_SCORE) return { code: 'shadow', turnId: fix.turnId };
      break;
    default:
  }
  const listed = wordsOf(session).filter(
    ({ word, accuracy }) =>
      accuracy < MISPRONUNCIATION_THRESHOLD &&
      word.length <= MAX_POINT_WORD &&
      !session.removedWords.has(listedSpelling(word)),
  );
  if (listed.length > 0)
    return { code: 'review_words', words: listed.slice(0, WORDS_IN_A_STEP).map(({ word }) => word) };
  if (fix.code === 'sound') return chooseStepForSound(session, fix);
  if (fix.code === 'word') return { code: 'shadow', turnId: fix.turnId };
  const open = session.objectives.find(({ isDone }) => !isDone);
  if (open !== undefined && session.objectivesJudged) return { code: 'again', objectiveId: open.objectiveId };
  if (session.scores.pron === null) return { code: 'by_voice' };
  if (readMostlyHints(session)) return { code: 'again', objectiveId: null };
  const harder = PRACTICE_DIFFICULTIES[PRACTICE_DIFFICULTIES.indexOf(session.difficulty) + 1];
  if (harder !== undefined) return { code: 'harder', difficulty: harder };
  return practiceForSound(session, session.weakSounds) ?? { code: 'another_practice' };
}

/** Answers that were read from hints do not show that the learner is ready for a harder level. */
const readMostlyHints = ({ turns }: SessionToReview): boolean =>
  turns.filter(({ hintLevel }) => hintLevel > 0).length * 2 >= turns.length;

/**
 * The words were clear enough, but a sound in them was not. If it has been weak before, it needs a practice in which it
 * comes up often. If it is new, it is drilled when several words had it, and otherwise played in its sentence.
 */
function chooseStepForSound(session: SessionToReview, fix: FeedbackPoint & { code: 'sound' }): FeedbackPoint {
  const { sound, also, turnId } = fix;
  const practice = session.weakSounds.includes(sound) ? practiceForSound(session, [sound]) : null;
  return practice ?? (also.length > 0 ? { code: 'drill_sound', sound } : { code: 'shadow', turnId });
}

/** A practice for the first of these sounds for which there is one. */
function practiceForSound(session: SessionToReview, sounds: readonly string[]): FeedbackPoint | null {
  for (const sound of sounds) {
    const practice = session.practiceWithSound(sound);
    if (practice !== null) return { code: 'practice_with_sound', sound, ...practice };
  }
  return null;
}
