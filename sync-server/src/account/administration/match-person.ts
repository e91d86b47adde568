/** Finds people by words of their names and addresses, also as typed on a keyboard without their letters. */
import { and, type SQL, sql } from 'drizzle-orm';

/** Letters whose mark is not separate in Unicode, and what people type for them. */
const UNMARKED = { from: 'ıøłđ', to: 'iold' } as const;
const COMBINING_MARKS = '\u{300}-\u{36f}';

/** `foldText` as SQL. Almost all addresses are ASCII, for which the rest of the work would take several times as long. */
const folded = (text: SQL): SQL =>
  sql`case when octet_length(${text}) = char_length(${text}) then lower(${text}) else
    replace(translate(lower(regexp_replace(normalize(${text}, NFKD), ${`[${COMBINING_MARKS}]`}, '', 'g')), ${UNMARKED.from}, ${UNMARKED.to}), 'ß', 'ss') end`;

const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(new RegExp(`[${COMBINING_MARKS}]`, 'gu'), '')
    .toLowerCase()
    .replaceAll(
      new RegExp(`[${UNMARKED.from}]`, 'gu'),
      (letter) => UNMARKED.to[UNMARKED.from.indexOf(letter)] ?? letter,
    )
    .replaceAll('ß', 'ss');

/** Every word must occur in the text, which contains the person's address and names. Undefined when there is no word. */
export function matchesPerson(text: SQL, search: string): SQL | undefined {
  const words = new Set(foldText(search).split(/\s+/).filter(Boolean));
  return and(...[...words].map((word) => sql`${folded(text)} like ${`%${escapeWildcards(word)}%`}`));
}

/** So that `%` and `_` match themselves. */
const escapeWildcards = (word: string): string => word.replaceAll(/[\\%_]/g, String.raw`\$&`);
