/** Values that put an earlier one right. */
import { expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

it.each([
  ['Give a stand-up update', 'when', 'no wait, Thursday', 'day-set'],
  ['Make an appointment', 'day', 'no wait, Thursday', 'time'],
])(
  'are answers where they are asked for: %s, %s, %s',
  (title, node, said, next) => {
    expect(answerAt(title, node, said).reply).toBe(next);
  },
  60_000,
);

it.each([
  ['Make an appointment', 'time', 'no wait, Thursday', 'Thursday'],
  ['Ask a colleague for help', 'thanks', 'oh sorry i mean thursday at nine', 'Thursday at nine'],
  ['Check in at a hotel', 'room', 'No wait, three nights.', 'three nights'],
])(
  'are repeated where something else is asked for: %s, %s, %s',
  (title, node, said, value) => {
    const { reply, objectives, coach } = answerAt(title, node, said);
    expect({ reply, objectives }).toEqual({ reply: null, objectives: [] });
    expect(coach).toContain(value);
  },
  60_000,
);
