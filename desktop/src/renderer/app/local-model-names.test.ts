import { expect, it } from 'vitest';
import { shortName } from './local-model-names.ts';

it.each([
  ['llama3.3:latest', 'llama3.3'],
  ['llama3.3:70b', 'llama3.3:70b'],
  ['qwen/qwen3-8b', 'qwen3-8b'],
  ['odd/', 'odd/'],
])('%s is called %s', (model, name) => {
  expect(shortName({ model })).toBe(name);
});
