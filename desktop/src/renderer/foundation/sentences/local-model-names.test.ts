import { expect, it } from 'vitest';
import { shortModelName } from './local-model-names.ts';

it.each([
  ['llama3.3:latest', 'llama3.3'],
  ['llama3.3:70b', 'llama3.3:70b'],
  ['qwen/qwen3-8b', 'qwen3-8b'],
  ['odd/', 'odd/'],
])('shortens the model name %s to %s', (model, name) => {
  expect(shortModelName({ model })).toBe(name);
});
