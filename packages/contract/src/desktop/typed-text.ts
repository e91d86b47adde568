/** Text that a learner types or pastes. */
import { z } from 'zod';

/**
 * Leaves out what PostgreSQL cannot store: zero bytes and halves of characters. A server would reject the change that contains one, and the
 * answer would stay on this device.
 */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

export const TypedText: z.ZodString = z.string().overwrite(storable);
