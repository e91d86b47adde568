/** Makes statements on PGlite cheaper. */
import type { PGlite } from '@electric-sql/pglite';

/** PostgreSQL's `FirstGenbkiObjectId`: types with smaller ids are its own scalars and their arrays. */
const FIRST_GENERATED_TYPE = 10_000;

/**
 * PGlite registers a parser for the array type of every table and view, about 300 of them, and drizzle makes it copy
 * all parsers for each statement, which takes longer than a short statement itself. No statement returns an array of
 * rows, so only the parsers of built-in types are kept.
 */
export function keepBuiltInParsers(pglite: PGlite): void {
  pglite.parsers = Object.fromEntries(
    Object.entries(pglite.parsers).filter(([type]) => Number(type) < FIRST_GENERATED_TYPE),
  );
}
