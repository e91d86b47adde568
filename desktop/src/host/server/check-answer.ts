/**
 * Checks an answer of the server against the contract, because some answers are stored, and read at every later start.
 * Servers are updated first, so an answer may contain what only newer apps know; it is left out, and the rest is used.
 */
import { serverContract } from '@parley/contract';
import type { z } from 'zod';

interface Call {
  path: readonly string[];
  next: () => Promise<unknown>;
}

/** An interceptor of the link. */
export async function checkAnswer({ path, next }: Call): Promise<unknown> {
  const answer = await next();
  const schema = schemaOf(path);
  // The events of a stream are checked where they are read.
  return schema === undefined || isStream(answer) ? answer : readAnswer(schema, answer, path.join('.'));
}

/** The response does not have the form of the contract, so it may come from another program at the server's address. */
export class UnexpectedAnswer extends Error {
  constructor(name: string, faults: readonly z.core.$ZodIssue[]) {
    // The values may be the learner's.
    super(`${name}: ${faults.map((fault) => `${fault.code} at "${fault.path.join('.')}"`).join(', ')}`);
  }
}

/** Returns the answer without what this app does not know. Throws `UnexpectedAnswer`. */
export function readAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown, name: string): Answer {
  const issues = schema.safeParse(answer).error?.issues ?? [];
  const known = issues.length === 0 ? answer : withoutUnknown(answer, issues);
  const faults = schema.safeParse(known).error?.issues ?? [];
  if (faults.length > 0) throw new UnexpectedAnswer(name, faults);
  return known as Answer;
}

/**
 * An unknown key is removed. An unknown member of an enumeration becomes `other` if there is such a member; otherwise
 * the element of the list to which it belongs is removed.
 */
function withoutUnknown(answer: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const known = structuredClone(answer);
  const unknownElements = new Map<unknown[], Set<number>>();
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) Reflect.deleteProperty(Object(valueAt(known, issue.path)), key);
    } else if (issue.code === 'invalid_value' && typeof valueAt(known, issue.path) === 'string') {
      const index = issue.path.findLastIndex((step) => typeof step === 'number');
      if (issue.values.includes('other')) {
        Reflect.set(Object(valueAt(known, issue.path.slice(0, -1))), issue.path.at(-1) ?? '', 'other');
      } else if (index >= 0) {
        const list = valueAt(known, issue.path.slice(0, index)) as unknown[];
        unknownElements.set(list, (unknownElements.get(list) ?? new Set<number>()).add(Number(issue.path[index])));
      }
    }
  }
  for (const [list, indices] of unknownElements)
    list.splice(0, list.length, ...list.filter((_element, at) => !indices.has(at)));
  return known;
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value);

const isStream = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

function schemaOf(path: readonly string[]): z.ZodType | undefined {
  const [group = '', name = ''] = path;
  const procedures: Record<string, Record<string, { '~orpc': { outputSchema?: unknown } }>> = serverContract;
  return procedures[group]?.[name]?.['~orpc'].outputSchema as z.ZodType | undefined;
}
