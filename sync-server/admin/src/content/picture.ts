/** Pictures that an admin puts into the text of a post. */
import { MAX_POST_PICTURE_BYTES } from '@parley/domain';
import { t } from '@parley/i18n';
import { drawPicture, type PictureSize, toPictureAddress } from '@parley/ui';

export const notPictureSentence = (name: string): string =>
  t('“{name}” isn’t a picture that this browser can read. Choose a PNG, JPEG or WebP file.', { name });

export interface FittedPicture extends PictureSize {
  address: string;
}

/** The text column of a post is 672 CSS pixels wide, doubled for high-density screens, plus a margin. */
const MAX_SIDE = 1_600;
/** Base64 encodes three bytes as four characters. */
const MAX_FITTED_CHARACTERS = Math.floor((MAX_POST_PICTURE_BYTES * 4) / 3);

/** Keeps the whole picture. Rejects a file that is not a picture. */
export async function fitPicture(file: Blob): Promise<FittedPicture> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / picture.width, MAX_SIDE / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const address = toPictureAddress(drawPicture(picture, { width, height }), 'smallest', MAX_FITTED_CHARACTERS);
  return { address, width, height };
}
