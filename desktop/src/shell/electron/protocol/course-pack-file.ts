/**
 * Recognises a course pack that the system asks the app to open. Only the file's name reaches the window: a pack is
 * imported on a server, so the app does not read files named on its command line.
 */
import { basename } from 'node:path';

/** `electron-builder.yml` registers this file type with the systems. */
const COURSE_PACK_EXTENSION = 'parleypack';

/** Returns the route that shows what can be done with the file, or null for any other file. */
export function routeOfFile(path: string): string | null {
  if (path.startsWith('-') || !path.toLowerCase().endsWith(`.${COURSE_PACK_EXTENSION}`)) return null;
  return `#/course-pack?file=${encodeURIComponent(JSON.stringify(basename(path)))}`;
}

/** Windows and Linux pass the path as a command line argument. */
export const findFileRoute = (words: readonly string[]): string | null =>
  words.map(routeOfFile).find((page) => page !== null) ?? null;
