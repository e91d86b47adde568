import { expect, it } from 'vitest';
import { withoutAcknowledgement } from './acknowledgement.ts';

it.each([
  ["All right, I'm listening. What would we gain?", "I'm listening. What would we gain?"],
  ['All right. When do you need it?', 'When do you need it?'],
  ['Great! What do you like to eat?', 'What do you like to eat?'],
  ['Sounds good. And what did you do before?', 'And what did you do before?'],
  ["Of course. And what's it about?", "And what's it about?"],
  ['I see, but others want it, too.', 'But others want it, too.'],
  ['All right, then. Thank you for your time.', 'Thank you for your time.'],
  ['Right now I have no time.', 'Right now I have no time.'],
  ['All right.', 'All right.'],
])('“%s” is “%s” after a reaction', (line, rest) => expect(withoutAcknowledgement(line)).toBe(rest));
