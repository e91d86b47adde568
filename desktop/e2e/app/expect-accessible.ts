/** Asserts that axe finds no accessibility violation on a page. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { expect } from 'vitest';

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // Otherwise, a second page is opened for each analysis, which only frames from other sites need; Parley has none.
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((node) => node.html)
          .join(' ')
          .slice(0, 200)}`,
    ),
  ).toEqual([]);
}
