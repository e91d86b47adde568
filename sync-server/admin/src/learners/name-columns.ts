/** Finds the names in the rows of a table whose first line names its columns. */

export interface NameColumns {
  separator: string;
  /** Null when the table has no such column. */
  first: number | null;
  last: number | null;
  /** A column with the full name. */
  whole: number | null;
  /** The columns for a work or school address; others may contain a manager's or a private address. */
  addresses: readonly number[];
}

/** Column titles in the languages of the panel. */
const LAST_NAME =
  /(last|family)[ _-]?name|^(last|family)$|surname|nachname|familienname|apellido|sobrenome|^姓$|^苗字$|العائلة|الكنية|اللقب/i;
const FIRST_NAME =
  /(first|given)[ _-]?name|^(first|given)$|forename|vorname|^vor-|^prime(r nombre|iro nome)$|^名$|الأول/i;
/**
 * The meaning of a bare “name” column depends on its neighbour: the first name in “Nombre;Apellidos”, the surname in
 * “Name;Vorname”, and otherwise both.
 */
const NAME =
  /^((full|student|display)[ _-]?)?names?$|^nombres?( completo)?$|^nome( completo)?$|^(氏名|お?名前|姓名|名字)$|^الاسم( الكامل)?$/i;
const BOTH_NAMES = /(apellidos?|sobrenome).+(nombre|nome)|(nombre|nome).+(apellido|sobrenome)/i;

/** Excludes a manager's address and a recovery address. */
const ADDRESS =
  /^(((work|school) )?e-?mail([ -]address)?( \[.*\])?|e-?mail-?adresse|user ?principal ?name|((endereço de )?e-?mail|(dirección de )?correo( electrónico)?)|メール(アドレス)?|(电子)?(邮箱|邮件)(地址)?|البريد( الإلكتروني)?)$/i;

/** A longer line is not a row in a list of people. */
const MAX_ROW_LENGTH = 2_000;

/** Returns null for a line that names no such column. */
export function readNameColumns(header: string): NameColumns | null {
  const separator = [';', '\t', ','].find((each) => header.includes(each));
  if (separator === undefined) return null;
  const cells = splitRow(header, separator);
  const hasBoth = (cell: string): boolean => BOTH_NAMES.test(cell) || (LAST_NAME.test(cell) && FIRST_NAME.test(cell));
  const find = (isColumn: (cell: string) => boolean): number | null => {
    const index = cells.findIndex(isColumn);
    return index === -1 ? null : index;
  };
  const last = find((cell) => LAST_NAME.test(cell) && !hasBoth(cell));
  const first = find((cell) => FIRST_NAME.test(cell) && !hasBoth(cell));
  const name = find((cell) => NAME.test(cell) || hasBoth(cell));
  const addresses = cells.flatMap((cell, index) => (ADDRESS.test(cell) ? [index] : []));
  if (first === null && last === null)
    return name === null ? null : { separator, first: null, last: null, whole: name, addresses };
  return { separator, first: first ?? name, last: last ?? name, whole: null, addresses };
}

/** `address` is the text of the address cell, or of the whole row when no column is named so. */
type RowCells = ({ firstName: string; lastName: string } | { wholeName: string }) & { address: string };

/** Returns null for a row that has no such columns. */
export function readCells(row: string, { separator, first, last, whole, addresses }: NameColumns): RowCells | null {
  const cells = splitRow(row, separator);
  if (cells.length <= Math.max(first ?? 0, last ?? 0, whole ?? 0)) return null;
  const cellAt = (column: number | null): string => (column === null ? '' : (cells[column] ?? ''));
  const address = addresses.length === 0 ? row : (addresses.map(cellAt).find((cell) => cell.includes('@')) ?? '');
  return whole === null
    ? { firstName: cellAt(first), lastName: cellAt(last), address }
    : { wholeName: cellAt(whole), address };
}

/** A separator inside quotation marks belongs to its cell. */
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
