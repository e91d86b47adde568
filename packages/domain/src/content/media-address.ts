/**
 * The addresses of files that admins have uploaded to their server. They are relative to the origin that serves the
 * page.
 */

/** The prefix, followed by the file's id; the file's cover is at `/cover` below that. */
export const MEDIA_PATH = '/media';

const MEDIA_ADDRESS = /^\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The id in the address of an uploaded file; null for any other address. */
export const mediaIdOf = (address: string): string | null => MEDIA_ADDRESS.exec(address)?.[1] ?? null;

export const mediaAddress = (id: string): string => `${MEDIA_PATH}/${id}`;

const MEDIA_ADDRESSES = /\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w/-])/g;

/** The ids of the uploaded files that a text refers to, each once. */
export const mediaIdsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(MEDIA_ADDRESSES)].map(([, id = '']) => id)),
];

/** The maximum size of a video's cover. */
export const MAX_VIDEO_COVER_BYTES = 512 * 1_024;

/** The maximum size of a picture in the text of a post. */
export const MAX_POST_PICTURE_BYTES = 512 * 1_024;
