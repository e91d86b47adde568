/** Where the files of a pack are, and what they may be. */
import { IMAGE_EXTENSIONS, imageTypeOf } from './images.ts';

/** Contents by path, such as `courses/with-clients.yaml`. Videos are too large for it. */
export type PackFiles = ReadonlyMap<string, Uint8Array>;

const MEDIA = /media\/[a-z0-9-]{1,100}\.(?:mp4|webm)/;
const PICTURE = /pictures\/[a-z0-9-]{1,100}\.(?:png|jpe?g|webp)/;
/** Where the text of a post shows a picture. */
export const SHOWN_PICTURE = new RegExp(`(?<=\\]\\(|src=")${PICTURE.source}`, 'g');
const FILE = new RegExp(
  `^(pack\\.yaml|README\\.md|industries\\.yaml|shared-acts\\.yaml|(coaches|practices|scenes|intents|courses|videos)/[a-z0-9-]{1,100}\\.yaml|posts/[a-z0-9-]{1,100}\\.md|(avatars|covers)/[a-z0-9-]{1,100}\\.(${IMAGE_EXTENSIONS.join('|')})|${MEDIA.source}|${PICTURE.source})$`,
);

/** Whether a file may be part of a pack. Its path can then lead nowhere else. */
export const isPackFile = (path: string): boolean => FILE.test(path);

/** Whether a file of a pack is a video, which is never read into memory. */
export const isMediaFile = (path: string): boolean => path.startsWith('media/');

/** Files that a server stores as separate files. */
const PHOTO_TYPES: ReadonlySet<string | null> = new Set(['image/png', 'image/jpeg', 'image/webp']);

export const isPhoto = (bytes: Uint8Array): boolean => PHOTO_TYPES.has(imageTypeOf(bytes));
