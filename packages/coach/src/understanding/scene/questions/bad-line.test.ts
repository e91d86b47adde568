/** Requests to hear something again, where the practice is about making them and where it is not. */
import { expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

const BAD_LINE = 'A phone call on a bad line';

it.each([
  ['noise', 'can you repeat the last part please'],
  ['noise', 'hello? i cant hear you very good, can you repeat the last part please'],
  ['noise', 'sorry can you speak louder please'],
  ['room', 'sorry which room? can you repeat please'],
])(
  'meet their objective on a bad line: %s, %s',
  (node, said) => {
    expect(answerAt(BAD_LINE, node, said).objectives).toEqual(['repeat']);
  },
  60_000,
);

it.each([
  ['Check in at a hotel', 'nights', 'can you repeat please'],
  ['Leave a message', 'repeat', 'Can you repeat the question, please?'],
  [BAD_LINE, 'time', 'What does “clash” mean?'],
])(
  'are remarks to the coach elsewhere: %s, %s, %s',
  (title, node, said) => {
    expect(answerAt(title, node, said)).toMatchObject({ kind: 'asks', objectives: [] });
  },
  60_000,
);
