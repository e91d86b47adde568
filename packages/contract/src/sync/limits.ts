/** What the sync protocol allows; `docs/protocol.md` lists these numbers, and a test compares them. */

export const MAX_MUTATIONS_PER_PUSH: number = 500;
/** Of a push's text, before compression. */
export const MAX_PUSH_BYTES: number = 1_048_576;
/** A page holds whole versions; one version with more rows than this comes in several lines. */
export const MAX_ROWS_PER_PAGE: number = 2_000;
/** The longest line of a stream. */
export const MAX_STREAM_LINE_BYTES: number = 64 * 1_048_576;
/** Of a name, of a table or a field. */
export const MAX_NAME_LENGTH: number = 80;
/** A deleted row stays as a tombstone for so long. */
export const TOMBSTONE_DAYS: number = 180;
