/** Distinguishes a missing file or folder from one that cannot be read, about which the operator must be told. */

export function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
