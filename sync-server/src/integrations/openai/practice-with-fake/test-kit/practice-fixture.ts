/** A practice with the fake as its coach: its scene and the turns so far. */
import { randomUUID } from 'node:crypto';
import type { ConversationState } from '@parley/coach';
import { createModelCoach, type ModelScene, type RealtimeScene } from '@parley/coach/model';
import { type CoachEvent, ObjectiveId, type Turn, TurnId } from '@parley/domain';
import { modelAt } from '../../language-model/test-kit/ask-model.ts';
import type { OpenAiFake } from '@parley/fakes/openai/index.ts';

export const SCENE: RealtimeScene = {
  persona: { name: 'Daniel', communicationStyle: 'Direct and brisk.', skills: ['Meetings'], characterTraits: ['fair'] },
  practice: {
    title: 'Explain a delay',
    scenario: 'A delivery is late, and your customer is on the telephone.',
    learnerRole: 'You look after this customer.',
    usefulWords: ['delivery', 'to be sorry'],
  },
  learner: { firstName: 'Ana', level: 'intermediate', jobTitle: 'Account manager', industry: 'Logistics' },
  difficulty: 'easy',
  objectives: [
    { objectiveId: ObjectiveId.parse(randomUUID()), description: 'Say clearly that the delivery is late' },
    { objectiveId: ObjectiveId.parse(randomUUID()), description: 'Agree on a new date' },
  ],
  remembered: [],
};

export function startPractice(fake: OpenAiFake, changes: Partial<ModelScene> = {}) {
  const coach = createModelCoach({ ...SCENE, model: modelAt(fake), ...changes });
  const turns: Turn[] = [];
  const held: ConversationState = { turns, completed: [] };
  const { signal } = new AbortController();
  const turnFields = () => ({ turnId: TurnId.parse(randomUUID()), at: '2026-11-21T09:00:00.000Z', node: null });
  return {
    held,
    hint: () => coach.hint(held, { level: 3, signal }),
    review: () => coach.review(held, signal),
    /** Returns the coach's reply, or its first utterance. */
    say: async (text?: string) => {
      if (text !== undefined)
        turns.push({
          role: 'learner',
          ...turnFields(),
          text,
          mode: 'typed',
          fitted: true,
          recordingId: null,
          assessment: null,
          hintLevel: 0,
        });
      const events: CoachEvent[] = [];
      for await (const event of coach.reply(held, signal)) events.push(event);
      const last = events.findLast((event) => event.type === 'line');
      if (last === undefined) throw new Error('the coach did not reply');
      turns.push({ role: 'coach', ...turnFields(), text: last.line.text, kind: last.line.kind });
      return { ...last.line, fitted: last.fitted, proved: events.filter((event) => event.type === 'proved') };
    },
  };
}
