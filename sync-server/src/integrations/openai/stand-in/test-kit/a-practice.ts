/** A practice as the server would hold it with a twin: its scene, and what was said so far. */
import { randomUUID } from 'node:crypto';
import type { Held } from '@parley/coach';
import { createModelCoach, type ModelScene, type RealtimeScene } from '@parley/coach/model';
import { type CoachEvent, ObjectiveId, type Turn, TurnId } from '@parley/domain';
import { modelAt } from '../../test-kit/asked.ts';
import type { OpenAiTwin } from '../../twin/index.ts';

export const A_SCENE: RealtimeScene = {
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

export function practiseWith(twin: OpenAiTwin, changes: Partial<ModelScene> = {}) {
  const coach = createModelCoach({ ...A_SCENE, model: modelAt(twin), ...changes });
  const turns: Turn[] = [];
  const held: Held = { turns, completed: [] };
  const { signal } = new AbortController();
  const stamp = () => ({ turnId: TurnId.parse(randomUUID()), at: '2026-11-21T09:00:00.000Z', node: null });
  return {
    held,
    hint: () => coach.hint(held, { level: 3, signal }),
    review: () => coach.review(held, signal),
    /** The coach's answer to it, or its first line. */
    say: async (text?: string) => {
      if (text !== undefined)
        turns.push({
          role: 'learner',
          ...stamp(),
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
      if (last === undefined) throw new Error('the coach said nothing');
      turns.push({ role: 'coach', ...stamp(), text: last.line.text, kind: last.line.kind });
      return { ...last.line, fitted: last.fitted, proved: events.filter((event) => event.type === 'proved') };
    },
  };
}
