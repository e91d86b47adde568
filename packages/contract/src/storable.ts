/** Text and times that PostgreSQL can store. */
import { z } from 'zod';

/** PostgreSQL can store neither a zero byte nor an unpaired surrogate. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

export const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/** The first year that PostgreSQL knows is 1. */
export const StorableTime: z.ZodISODateTime = z.iso.datetime().refine((time) => !time.startsWith('0000'));
