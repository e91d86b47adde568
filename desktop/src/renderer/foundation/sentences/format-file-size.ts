/** Formats a file size in KB or MB, never as zero. */
import { formatLocale } from '@parley/i18n';
export function formatFileSize(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1024));
  return kilobytes < 1024 ? `${kilobytes} KB` : `${Math.round(kilobytes / 1024).toLocaleString(formatLocale())} MB`;
}
