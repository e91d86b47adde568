/** Text that a learner types or pastes. */
import { z } from 'zod';
import { toStorableText } from '../storable.ts';

/**
 * Removes characters that PostgreSQL cannot store: zero bytes and unpaired surrogates. A server would reject a change
 * that contains one, and the answer would stay on this device.
 */
export const TypedText: z.ZodString = z.string().overwrite(toStorableText);
