/** Checks responses of the server against the contract, because some of them are stored, and read at every later start. */
import { serverContract } from '@parley/contract';
import type { z } from 'zod';

interface Call {
  path: readonly string[];
  next: () => Promise<unknown>;
}

/** An interceptor for the contract's client. The response is passed on unchanged; keys that a newer server has added are allowed. */
export async function checkAnswer({ path, next }: Call): Promise<unknown> {
  const answer = await next();
  // The events of a stream are checked where they are read.
  if (isStream(answer)) return answer;
  const issues = schemaOf(path)?.safeParse(answer).error?.issues ?? [];
  const faults = issues.filter(({ code }) => code !== 'unrecognized_keys');
  if (faults.length > 0) throw new UnexpectedAnswer(path, faults);
  return answer;
}

/** The response does not have the form of the contract, so it may come from another program at the server's address. */
export class UnexpectedAnswer extends Error {
  constructor(path: readonly string[], faults: readonly z.core.$ZodIssue[]) {
    // The message contains no values, because they may be the learner's.
    super(`${path.join('.')}: ${faults.map((fault) => `${fault.code} at "${fault.path.join('.')}"`).join(', ')}`);
  }
}

const isStream = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

function schemaOf(path: readonly string[]): z.ZodType | undefined {
  const [group = '', name = ''] = path;
  const procedures: Record<string, Record<string, { '~orpc': { outputSchema?: unknown } }>> = serverContract;
  return procedures[group]?.[name]?.['~orpc'].outputSchema as z.ZodType | undefined;
}
