/**
 * Reads the accessibility tree below an element, with its numbers replaced, because scores and dates differ from run
 * to run.
 */
import type { Locator } from 'playwright';

export const ariaTree = async (locator: Locator): Promise<string> =>
  (await locator.ariaSnapshot()).replaceAll(/\d+/g, '#');
