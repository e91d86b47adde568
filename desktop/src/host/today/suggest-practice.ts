/** Suggests what to practise next, with a reason that the learner can check. */
import type { PracticeCard, SuggestionReason } from '@parley/contract';
import { ENGLISH_LEVELS, type EnglishLevel, type PracticeId } from '@parley/domain';
import { findPracticeWithSound } from '../catalogue/index.ts';

/** A practice with a lower best score is suggested again. */
const RETRY_SUGGESTED_BELOW = 80;

export interface SuggestionLearner {
  level: EnglishLevel | null;
  /** When each practice was last finished or started. */
  practised: ReadonlyMap<string, Date>;
  /** The name of the industry in which the learner works. */
  industry: string | null;
  /** The sounds that the learner is working on, weakest first. */
  weakSounds: readonly string[];
  /** The texts that the learner may say in a practice. */
  learnerTexts: (practiceId: PracticeId) => readonly string[];
}

type Suggestion = { practiceId: PracticeId; reason: SuggestionReason };

export function suggestPractice(cards: readonly PracticeCard[], learner: SuggestionLearner): Suggestion | null {
  const level = learner.level ?? ENGLISH_LEVELS[0];
  const distance = (card: PracticeCard): number =>
    Math.abs(ENGLISH_LEVELS.indexOf(card.level) - ENGLISH_LEVELS.indexOf(level));
  const ready = cards.filter((card) => card.state === 'ready').toSorted((a, b) => distance(a) - distance(b));
  const unpractised = ready.filter((card) => !learner.practised.has(card.practiceId));
  const [nearest] = unpractised;
  if (nearest !== undefined) {
    if (learner.level === null && learner.practised.size === 0)
      return { practiceId: nearest.practiceId, reason: { code: 'first' } };
    const equallyNear = unpractised.filter((card) => distance(card) === distance(nearest));
    return (
      forWeakSound(equallyNear, learner) ??
      forIndustry(equallyNear, learner) ?? {
        practiceId: nearest.practiceId,
        reason: newToLearner(nearest, learner.level),
      }
    );
  }
  const done = ready
    .map((card) => ({ ...card, lastAt: learner.practised.get(card.practiceId) ?? new Date(0) }))
    .toSorted((a, b) => distance(a) - distance(b) || a.lastAt.getTime() - b.lastAt.getTime());
  const [oldest] = done;
  if (oldest === undefined) return null;
  // A practice is not suggested again at once, and practices with low scores take turns, because a low score may not
  // rise soon.
  const latestMs = Math.max(...done.map(({ lastAt }) => lastAt.getTime()));
  for (const { practiceId, bestScore, lastAt } of done)
    if (bestScore !== null && Math.round(bestScore) < RETRY_SUGGESTED_BELOW && lastAt.getTime() < latestMs)
      return { practiceId, reason: { code: 'improve', bestScore: Math.round(bestScore) } };
  return { practiceId: oldest.practiceId, reason: { code: 'again', lastAt: oldest.lastAt } };
}

function newToLearner({ level }: PracticeCard, ofLearner: EnglishLevel | null): SuggestionReason {
  if (ofLearner === null) return { code: 'new' };
  return level === ofLearner ? { code: 'new_at_level' } : { code: 'new_at_other_level', level };
}

/** Prefers practices in the learner's industry, if there are any. */
function forWeakSound(cards: readonly PracticeCard[], learner: SuggestionLearner): Suggestion | null {
  const ofIndustry = cards.filter((card) => isOfIndustry(card, learner.industry));
  for (const sound of learner.weakSounds) {
    const found =
      findPracticeWithSound(sound, ofIndustry, learner.learnerTexts) ??
      findPracticeWithSound(sound, cards, learner.learnerTexts);
    if (found !== null)
      return { practiceId: found.practiceId, reason: { code: 'weak_sound', sound, words: found.words } };
  }
  return null;
}

function forIndustry(cards: readonly PracticeCard[], { industry }: SuggestionLearner): Suggestion | null {
  const card = cards.find((each) => isOfIndustry(each, industry));
  return card === undefined || industry === null
    ? null
    : { practiceId: card.practiceId, reason: { code: 'industry', industry } };
}

/** Words that say nothing about an industry. */
const GENERAL_WORDS = new Set(['service', 'services', 'public', 'something', 'else', 'other', 'industry']);
const SHORTEST_STEM = 4;

/** Whether the practice mentions the industry by a word of its name or the stem of one, as in “banking” and “bank”. */
function isOfIndustry({ title, category, descriptionSummary }: PracticeCard, industry: string | null): boolean {
  const wordsOf = (text: string): string[] =>
    (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= SHORTEST_STEM);
  const spoken = wordsOf(`${title} ${category} ${descriptionSummary}`);
  return wordsOf(industry ?? '')
    .filter((word) => !GENERAL_WORDS.has(word))
    .some((word) => spoken.some((other) => word.startsWith(other) || other.startsWith(word)));
}
