/** Tells a file or folder that is not there from one that cannot be read, which its operator must hear of. */

export function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
