import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { updateConfigurationDocument } from './describe-configuration.ts';
import { Environment } from './environment.ts';

const document = await readFile(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');

it('is in step with docs/configuration.md (npm run configuration)', () => {
  expect(updateConfigurationDocument(document)).toBe(document);
});

it('describes every variable', () => {
  for (const [name, { description }] of Object.entries(Environment.shape))
    expect(description, name).toMatch(/^.{20,}\.$/);
});

it('does not accept a document without a place for the variables', () => {
  expect(() => updateConfigurationDocument('# Configuration')).toThrow('server variables');
});
