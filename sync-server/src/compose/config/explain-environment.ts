/** Explains what is wrong with the environment, one line for each variable, without showing a value that may be secret. */
import type { z } from 'zod';

export const explainEnvironment = ({ issues }: z.ZodError): string =>
  ['The environment is invalid:', ...issues.map(({ path, message }) => `${String(path[0])}: ${message}`)].join('\n');

/** Rewords zod's messages in an operator's terms. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int') return 'must be a whole number';
      return issue.expected === 'number' ? 'must be a number' : undefined;
    case 'invalid_format':
      if (issue.format === 'email') return 'must be an e-mail address';
      return issue.format === 'starts_with' ? `must begin with ${String(issue['prefix'])}` : undefined;
    case 'invalid_value':
      return `must be ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(issue.values.map(String))}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `must have at least ${issue.minimum} characters`
        : `must be at least ${issue.minimum}`;
    default:
      return undefined;
  }
}
