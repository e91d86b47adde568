/** What a result says where there is nothing to show. */
import type { Feedback, LearnerTurn } from '@parley/domain';

/** Nothing where each dimension has a reason of its own. */
export function whyNotMeasured(session: { isText: boolean; hasAnswered: boolean }): { whyNot?: string } {
  if (!session.hasAnswered) return { whyNot: 'Not measured: you did not answer.' };
  return session.isText ? { whyNot: 'Not measured: you wrote in this practice.' } : {};
}

/** Null where there are corrections to show. */
export function whyNoCorrections(
  feedback: Pick<Feedback, 'corrections'> | null,
  { hasAnswered, isText }: { hasAnswered: boolean; isText: boolean },
): string | null {
  if (!hasAnswered) return 'You said nothing in this practice, so there was no wording to look at.';
  if (feedback?.corrections === undefined)
    return `The coach could not be reached to look at your wording. ${isText ? 'No mark for your language is in your score.' : 'Your scores are not touched by that.'}`;
  return feedback.corrections.length === 0 ? 'The coach found nothing to correct in your wording.' : null;
}

const timesOf = (count: number): string => `${count} ${count === 1 ? 'time' : 'times'}`;

export function howOftenAnswered(
  turns: readonly Pick<LearnerTurn, 'hintLevel' | 'fitted'>[],
  { isLive }: { isLive: boolean },
): string {
  if (turns.length === 0) return 'You did not answer in this practice.';
  const hinted = turns.filter((turn) => turn.hintLevel > 0).length;
  const answered = `You answered ${timesOf(turns.length)}, ${hinted === 0 ? 'without a hint' : `${hinted} of them with a hint`}`;
  return isLive
    ? `${answered}.`
    : `${answered}; the coach asked again ${timesOf(turns.filter((turn) => !turn.fitted).length)}.`;
}
