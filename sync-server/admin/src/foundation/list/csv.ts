/** Writes a table as CSV for a spreadsheet, and hands files to the browser. */
import { CSV_BYTE_ORDER_MARK, toCsvLine } from '@parley/domain';
import { csvSeparator } from '@parley/i18n';
import { toFieldDay, toFieldTime } from '../screen/time-zone.ts';

/** The format that spreadsheets read as a day and time in any language, such as `2026-11-21 09:05`. */
export const csvTime = (iso: string | null): string => (iso === null ? '' : toFieldTime(iso).replace('T', ' '));
export const csvDay = (iso: string | null): string => (iso === null ? '' : toFieldDay(iso));

export function downloadCsv(name: string, rows: readonly (readonly string[])[]): void {
  const separator = csvSeparator();
  const lines = rows.map((row) => toCsvLine(row, separator));
  download(`${name}.csv`, new Blob([CSV_BYTE_ORDER_MARK, ...lines], { type: 'text/csv;charset=utf-8' }));
}

/** Without the byte order mark, with which JSON must not begin (RFC 8259). */
export const downloadJson = (name: string, value: unknown): void =>
  download(`${name}.json`, new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
