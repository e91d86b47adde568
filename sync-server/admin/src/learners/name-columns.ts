/** Finds the names in the rows of a table whose first line says which columns have them. */

export interface NameColumns {
  separator: string;
  /** Null when the table has no such column. */
  first: number | null;
  last: number | null;
}

/** In the languages of the panel. */
const LAST_NAME = /last|family|surname|nachname|familienname|apellido|sobrenome|^姓$|^苗字$|العائلة|الكنية|اللقب/i;
const FIRST_NAME = /first|given|forename|vorname|^nombres?$|^nome$|^名$|الأول|^الاسم$/i;

/** A longer line is no row of a list of people. */
const MAX_ROW_LENGTH = 2_000;

/** Returns null for a line that names no such column. */
export function readNameColumns(header: string): NameColumns | null {
  const separator = [';', '\t', ','].find((each) => header.includes(each));
  if (separator === undefined) return null;
  const cells = splitRow(header, separator);
  const last = cells.findIndex((cell) => LAST_NAME.test(cell));
  const first = cells.findIndex((cell, index) => index !== last && FIRST_NAME.test(cell));
  if (first === -1 && last === -1) return null;
  return { separator, first: first === -1 ? null : first, last: last === -1 ? null : last };
}

/** Returns null for a row that has no such columns. */
export function readNames(
  row: string,
  { separator, first, last }: NameColumns,
): { firstName: string; lastName: string } | null {
  const cells = splitRow(row, separator);
  if (cells.length <= Math.max(first ?? 0, last ?? 0)) return null;
  const cellAt = (column: number | null): string => (column === null ? '' : (cells[column] ?? ''));
  return { firstName: cellAt(first), lastName: cellAt(last) };
}

/** A separator in quotation marks belongs to its cell. */
function splitRow(row: string, separator: string): string[] {
  if (row.length > MAX_ROW_LENGTH) return [];
  return row.split(new RegExp(`${separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`)).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
      .trim(),
  );
}
