/** Adapts the guided coach to the `Coach` interface. It follows a written dialogue, works offline, and is deterministic for a seed. */
import type { CoachEvent } from '@parley/domain';
import type { Coach } from '../coach.ts';
import { reviewWithoutModel } from '../feedback/review-without-model.ts';
import { hasEnded, findTurnToAnswer } from '../find-turn-to-answer.ts';
import { type GuidedObjective, type GuidedReply, type GuidedScene, openConversation } from './dialogue-engine.ts';
import { answerTurn, currentReplies } from './answer-turn.ts';
import { buildHints } from './hints.ts';

export interface GuidedPractice extends GuidedScene {
  title: string;
  objectives: readonly GuidedObjective[];
}

/** `reply` throws `NothingToAnswerError` when the coach spoke last. */
export function createGuidedCoach(practice: GuidedPractice): Coach {
  return {
    async *reply(conversation, signal): AsyncGenerator<CoachEvent, void> {
      const turn = findTurnToAnswer(conversation);
      const { line, fitted, proved }: GuidedReply =
        turn === null
          ? { line: openConversation(practice), fitted: true, proved: [] }
          : answerTurn(practice, conversation, turn);
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

    async hint(conversation, { level, signal }) {
      signal.throwIfAborted();
      return hasEnded(conversation) ? [] : buildHints(currentReplies(practice, conversation.turns), level);
    },

    async review(conversation, signal) {
      signal.throwIfAborted();
      return reviewWithoutModel(practice, conversation);
    },
  };
}
