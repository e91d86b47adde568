import { expect, it } from 'vitest';
import { withoutName } from './without-name.ts';

it.each([
  ['Good morning, Ada! Thank you, Ada.', 'Ada', 'Good morning, [name]! Thank you, [name].'],
  ['Hello, Ada.', 'ada', 'Hello, [name].'],
  ['Is that Ada’s laptop?', 'Ada', 'Is that [name]’s laptop?'],
  ['Anna, are you Anna Maria?', 'Anna Maria', '[name], are you [name]?'],
  ['Hello, Zoë-Lou.', 'Zoë-Lou', 'Hello, [name].'],
  ['What is (x), J. (Jo)?', 'J. (Jo)', 'What is (x), [name]?'],
  ['Well, O’Brien, hello.', "O'Brien", 'Well, [name], hello.'],
  ["Well, O'Brien, hello.", 'O’Brien', 'Well, [name], hello.'],
  ['Jean, or Jean-Luc?', 'Jean-Luc', '[name], or [name]?'],
  ['ANNA! Listen.', 'Anna', '[name]! Listen.'],
  ['Hello, Zoe\u0308.', 'Zoë', 'Hello, [name].'],
  ['Hello, Zoë.', 'Zoe\u0308', 'Hello, [name].'],
  // A different word, and part of a word.
  ['When will it arrive?', 'Will', 'When will it arrive?'],
  ['The market in Adana', 'Ada', 'The market in Adana'],
  ['Plan B', 'B', 'Plan B'],
  ['Hello.', null, 'Hello.'],
  ['Hello.', '', 'Hello.'],
])('%s (%s)', (line, firstName, expected) => expect(withoutName(line, firstName)).toBe(expected));
