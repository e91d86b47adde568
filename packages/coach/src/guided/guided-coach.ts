/** The guided coach behind the port of every coach: it follows a written dialogue, needs no network, and says the same for the same seed. */
import type { CoachEvent } from '@parley/domain';
import type { Coach } from '../coach.ts';
import { writtenReview } from '../feedback/written-review.ts';
import { isOver, turnToAnswer } from '../turn-to-answer.ts';
import { type GuidedScene, openConversation } from './converse.ts';
import { type Guided, type GuidedObjective, guideTurn, repliesHere } from './guide.ts';
import { hintsFor } from './hints.ts';

export interface GuidedPractice extends GuidedScene {
  title: string;
  objectives: readonly GuidedObjective[];
}

/** `reply` throws `NothingToAnswer` where the coach has spoken last. */
export function createGuidedCoach(practice: GuidedPractice): Coach {
  return {
    async *reply(held, signal): AsyncGenerator<CoachEvent, void> {
      const said = turnToAnswer(held);
      const { line, fitted, proved }: Guided =
        said === null
          ? { line: openConversation(practice), fitted: true, proved: [] }
          : guideTurn(practice, held, said);
      const events: CoachEvent[] = [
        { type: 'words', text: line.text },
        ...proved.map((proof) => ({ type: 'proved' as const, ...proof })),
        { type: 'line', line, fitted },
      ];
      for (const event of events) {
        signal.throwIfAborted();
        yield event;
      }
    },

    async hint(held, { level, signal }) {
      signal.throwIfAborted();
      return isOver(held) ? [] : hintsFor(repliesHere(practice, held.turns), level);
    },

    async review(held, signal) {
      signal.throwIfAborted();
      return writtenReview(practice, held);
    },
  };
}
