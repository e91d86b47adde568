/** Explains a schema's findings. */
import type { z } from 'zod';
import { explain, type Explanation } from './explanation.ts';

export function explainIssue(issue: z.core.$ZodIssue): Explanation {
  const place = issue.path.map(String).join(' › ');
  if (issue.code === 'unrecognized_keys') return explain('value.unknown', { name: issue.keys.join(', ') });
  if (place === '') return explain('file.wrong_form');
  switch (issue.code) {
    case 'too_big':
      return explain('value.too_large', { place, limit: Number(issue.maximum) });
    case 'too_small':
      return explain('value.too_small', { place, limit: Number(issue.minimum) });
    case 'invalid_value':
      return explain('value.not_allowed', { place, allowed: issue.values.map(String).join(', ') });
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? explain('value.missing', { place })
        : explain('value.invalid', { place });
    case 'custom':
      return explain('value.refused', { place, detail: issue.message });
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return explain('value.invalid', { place });
    default:
      return issue satisfies never;
  }
}
