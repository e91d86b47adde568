/** The kinds of column that several tables share. */
import { timestamp } from 'drizzle-orm/pg-core';

/** A moment, to the millisecond, as every stored time is. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
