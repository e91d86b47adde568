/** Formats rows as CSV (RFC 4180) for a spreadsheet. Lists and objects become JSON. */

/** The byte order mark at the beginning of a file, without which spreadsheets do not read it as UTF-8. */
export const CSV_BYTE_ORDER_MARK = '\uFEFF';

/** Languages with decimal commas use a semicolon, as their spreadsheets do. */
export function toCsvLine(values: readonly unknown[], separator: ',' | ';' = ','): string {
  return `${values.map((value) => quoteCell(toCell(value, separator))).join(separator)}\r\n`;
}

function toCell(value: unknown, separator: ',' | ';'): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' && separator === ';') return String(value).replace('.', ',');
  if (typeof value !== 'string') return JSON.stringify(value);
  // A spreadsheet would evaluate a cell that starts like a formula, in Japanese also with full-width signs; an apostrophe prevents that.
  return /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
}

const quoteCell = (cell: string): string => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
