import { expect, it } from 'vitest';
import { MAX_ADDED_TO_CLASS } from '@parley/contract';
import { addToClass } from './add-to-class.ts';

it('adds more learners than one call takes', async () => {
  const emails = Array.from({ length: 2 * MAX_ADDED_TO_CLASS + 1 }, (_email, index) => `${index}@example.com`);
  const sizes: number[] = [];
  const result = await addToClass(emails, async (part) => {
    sizes.push(part.length);
    return { added: part.length - 1, unknown: part.slice(0, 1) };
  });
  expect(sizes).toEqual([MAX_ADDED_TO_CLASS, MAX_ADDED_TO_CLASS, 1]);
  expect(result).toEqual({
    added: emails.length - 3,
    unknown: ['0@example.com', `${MAX_ADDED_TO_CLASS}@example.com`, `${2 * MAX_ADDED_TO_CLASS}@example.com`],
  });
});
