/** How large a file is, in the unit that suits it; what is there at all is never nothing. */
export function sizeOf(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1024));
  return kilobytes < 1024 ? `${kilobytes} KB` : `${Math.round(kilobytes / 1024).toLocaleString('en-GB')} MB`;
}
