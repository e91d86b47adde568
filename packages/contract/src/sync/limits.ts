/** Limits of the sync protocol. `docs/protocol.md` lists them, and a test compares the two. */

export const MAX_MUTATIONS_PER_PUSH: number = 500;
/** The size of a push's text before compression. */
export const MAX_PUSH_BYTES: number = 1_048_576;
/** A page holds whole versions. A version with more rows than this is split over several lines. */
export const MAX_ROWS_PER_PAGE: number = 2_000;
/** The maximum length of one line of a stream. */
export const MAX_STREAM_LINE_BYTES: number = 64 * 1_048_576;
/** How many sessions one request for turns may list. */
export const MAX_SESSIONS_PER_TURNS_REQUEST: number = 50;
/** The maximum length of a table or field name. */
export const MAX_NAME_LENGTH: number = 80;
/** How many fields of a change may be refused individually. A change with more is rejected as a whole. */
export const MAX_REFUSED_FIELDS: number = 64;
/** How long a deleted row is kept as a tombstone. */
export const TOMBSTONE_DAYS: number = 180;
