/** Writes a table as CSV (RFC 4180) that spreadsheets open as text. */

/** A spreadsheet runs a cell that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

export function toCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((row) => row.map(toCell).join(',')).join('\r\n');
}

function toCell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The mark tells spreadsheets that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

export function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
