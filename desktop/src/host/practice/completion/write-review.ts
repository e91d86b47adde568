/** Writes the feedback of a session: measured points, together with a model coach's comments on them. */
import { grammarCorrections, type SessionToReview, toStoredFeedback, toStoredSummary } from '@parley/coach';
import {
  type CoachReview,
  type CompletedObjective,
  type Feedback,
  type LearnerTurn,
  type PracticeDifficulty,
  readFeedbackText,
  SCORE_DIMENSIONS,
  type SessionScores,
  type Turn,
} from '@parley/domain';
import type { PracticeObjective } from '../../catalogue/index.ts';
import type { SoundsToWorkOn } from './sounds-to-work-on.ts';

interface ScoredSession extends SoundsToWorkOn {
  turns: readonly Turn[];
  objectives: readonly PracticeObjective[];
  completed: readonly CompletedObjective[];
  objectivesJudged: boolean;
  scores: SessionScores;
  difficulty: PracticeDifficulty;
}

export interface StoredReview {
  feedback: Feedback;
  summary: string;
}

export function writeReview(scored: ScoredSession, judged: CoachReview | null): StoredReview {
  const learnerTurns = scored.turns.filter((turn): turn is LearnerTurn => turn.role === 'learner');
  const proofs = new Map(scored.completed.map(({ objectiveId, turnId }) => [objectiveId, turnId]));
  const session: SessionToReview = {
    ...scored,
    turns: learnerTurns,
    objectives: scored.objectives.map(({ objectiveId }) => ({
      objectiveId,
      isDone: proofs.has(objectiveId),
      provedIn: proofs.get(objectiveId) ?? null,
    })),
    mainCorrection: judged === null ? null : findMainCorrection(judged),
  };
  if (judged === null) return writeReviewByRules(session, learnerTurns);
  const { corrections, languageQuality } = judged;
  const grounds = { said: learnerTurns, corrections, scores: scored.scores };
  const coachSays = {
    best: traceableSentence(judged.best, grounds),
    // The sentence would appear next to a correction of something else.
    fix: isAboutNoCorrection(judged) ? null : traceableSentence(judged.fix, grounds),
  };
  return {
    feedback: { ...toStoredFeedback(session, coachSays), corrections, languageQuality },
    summary: groundedSentence(judged.summary, grounds) ?? toStoredSummary(session),
  };
}

/** The suggestion from the grammar rules comes first only if the learner has met every objective. */
function writeReviewByRules(session: SessionToReview, said: readonly LearnerTurn[]): StoredReview {
  const corrections = grammarCorrections(said);
  const isDone = session.objectives.every((objective) => objective.isDone);
  const mainCorrection = corrections.length > 0 && isDone ? 0 : null;
  const feedback = toStoredFeedback({ ...session, mainCorrection });
  return {
    feedback: corrections.length === 0 ? feedback : { ...feedback, corrections },
    summary: toStoredSummary(session),
  };
}

interface Grounds {
  said: readonly LearnerTurn[];
  corrections: CoachReview['corrections'];
  scores: SessionScores;
}

const QUOTED = /[“"]([^“”"]+)[”"]/g;
/** The maximum score, which a sentence may mention although it was neither said nor measured. */
const FULL_SCORE = '100';
const NUMBERS = /\d+(?:[.,]\d+)?/g;
const comparable = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();

const quotesOf = (text: string): string[] => [...text.matchAll(QUOTED)].map(([, quote = '']) => comparable(quote));

/** The correction that the coach's own fix quotes, or else the first correction. */
function findMainCorrection(judged: CoachReview): number | null {
  if (judged.corrections.length === 0) return null;
  return Math.max(0, findQuotedCorrection(judged));
}

function findQuotedCorrection({ fix, corrections }: CoachReview): number {
  const quotes = quotesOf(fix);
  return corrections.findIndex(({ said, better }) => {
    const words = [said, better].map((text) => ` ${comparable(text)} `);
    return quotes.length > 0 && quotes.every((quote) => words.some((text) => text.includes(` ${quote} `)));
  });
}

const isAboutNoCorrection = (judged: CoachReview): boolean =>
  judged.corrections.length > 0 && quotesOf(judged.fix).length > 0 && findQuotedCorrection(judged) === -1;

const isQuoteIn =
  (texts: readonly string[]) =>
  (quote: string): boolean =>
    texts.some((text) => ` ${comparable(text)} `.includes(` ${quote} `));

/** Praise and criticism must also quote the learner, so that they are certain to be about this session. */
function traceableSentence(sentence: string, grounds: Grounds): string | null {
  const text = groundedSentence(sentence, grounds);
  const isSaid = isQuoteIn(grounds.said.map((turn) => turn.text));
  return text !== null && quotesOf(text).some((quote) => quote !== '' && isSaid(quote)) ? text : null;
}

/**
 * A model coach may rephrase what was measured, but not invent: each quotation must come from what the learner said or
 * from a correction of it, and each number from what was said or measured. Any other sentence is dropped, and so is one
 * that repeats a measured point.
 */
function groundedSentence(sentence: string, { said, corrections, scores }: Grounds): string | null {
  const { text } = readFeedbackText(sentence);
  if (text === null || text === '') return null;
  const isKnown = isQuoteIn([
    ...said.map((turn) => turn.text),
    ...corrections.flatMap((each) => [each.said, each.better, each.why]),
  ]);
  const measured = new Set([
    FULL_SCORE,
    ...([...SCORE_DIMENSIONS, 'pron', 'words', 'overall'] as const).flatMap((name) => {
      const score = scores[name];
      return score === null ? [] : [String(score), String(Math.round(score))];
    }),
  ]);
  const isQuoteKnown = quotesOf(text).every(isKnown);
  const isNumberKnown = (text.match(NUMBERS) ?? []).every(
    (number) => measured.has(number) || isKnown(comparable(number)),
  );
  return isQuoteKnown && isNumberKnown ? text : null;
}
