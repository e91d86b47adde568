import { expect, it } from 'vitest';
import { findLeaving } from './farewells.ts';

it.each([
  ['0151 234567. Thank you, goodbye.', '0151 234567'],
  ["it's 0176 554321 thank you bye", "it's 0176 554321"],
  ['see you at two, bye', 'see you at two'],
  ['Yes, that is fine. See you then!', 'Yes, that is fine'],
  ['thank you good night', ''],
  ['Thank you for showing me the flat. Goodbye!', ''],
  ['It was nice talking to you, goodbye!', ''],
  ['Thanks, see you later!', ''],
])('“%s” says “%s” before the goodbye', (text, said) => expect(findLeaving(text)).toEqual({ said }));

it.each([
  'Thank you very much.',
  'See you on Monday at nine.',
  'I wanted to say goodbye',
  'Goodbye letters are sad.',
  "I'll have a nice day off",
])('is no goodbye: %s', (text) => expect(findLeaving(text)).toBeNull());
