import { MAX_ADDED_TO_CLASS } from '@parley/contract';

interface AddedLearners {
  added: number;
  /** Addresses without an account. */
  unknown: string[];
}

/**
 * Adds any number of learners, in batches of a size that the server accepts. A repeated call adds those that are
 * missing.
 */
export async function addToClass(
  emails: readonly string[],
  add: (part: string[]) => Promise<AddedLearners>,
): Promise<AddedLearners> {
  const result: AddedLearners = { added: 0, unknown: [] };
  for (let from = 0; from < emails.length; from += MAX_ADDED_TO_CLASS) {
    const { added, unknown } = await add(emails.slice(from, from + MAX_ADDED_TO_CLASS));
    result.added += added;
    result.unknown.push(...unknown);
  }
  return result;
}
