import { expect, it } from 'vitest';
import { Environment } from './environment.ts';
import { readConfig } from './read-config.ts';

it('takes an empty variable for one that is not set', () => {
  const blank = Object.fromEntries(Object.keys(Environment.shape).map((name) => [name, '']));
  expect(readConfig(blank)).toEqual(readConfig({}));
});
