/**
 * Reads the accessibility tree below an element, without its numbers, because scores and dates differ from run to run.
 */
import type { Locator } from 'playwright';

export const ariaTree = async (locator: Locator): Promise<string> =>
  (await locator.ariaSnapshot()).replaceAll(/\d+/g, '#');
