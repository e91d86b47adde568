/** Whether each typed word is the beginning of some word of the title. */
export function matchesCommand(title: string, typed: string): boolean {
  const parts = title.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => parts.some((part) => part.startsWith(word)));
}
