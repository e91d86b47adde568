/** Pictures are made small in the browser, so that they travel with the content and work offline, and lose the place where they were taken. */
import { MAX_POST_PICTURE_BYTES } from '@parley/domain';
import { t } from '@parley/i18n';

export interface PictureSize {
  width: number;
  height: number;
}

export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/gif';

export const notPictureSentence = (name: string): string =>
  t('“{name}” isn’t a picture that this browser can read. Choose a PNG, JPEG or WebP file.', { name });

/** What a row that travels to devices may hold. */
const MAX_CHARACTERS = 200_000;
const QUALITIES = [0.85, 0.6, 0.35, 0.15];

/** Cuts a picture or the current frame of a video to the size, from its middle. */
export function drawPicture(source: ImageBitmap | HTMLVideoElement, { width, height }: PictureSize): HTMLCanvasElement {
  const [sourceWidth, sourceHeight] =
    source instanceof HTMLVideoElement ? [source.videoWidth, source.videoHeight] : [source.width, source.height];
  const scale = Math.max(width / sourceWidth, height / sourceHeight);
  const [cutWidth, cutHeight] = [width / scale, height / scale];
  const canvas = globalThis.document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const [x, y] = [(sourceWidth - cutWidth) / 2, (sourceHeight - cutHeight) / 2];
  canvas.getContext('2d')?.drawImage(source, x, y, cutWidth, cutHeight, 0, 0, width, height);
  return canvas;
}

/** Every program that shows previews of links reads JPEG. */
export type PictureFormat = 'smallest' | 'jpeg';

/** As good as the longest address allows. `smallest` is WebP where the browser writes it, and JPEG elsewhere. */
export function toPictureAddress(
  canvas: HTMLCanvasElement,
  format: PictureFormat = 'smallest',
  maxCharacters = MAX_CHARACTERS,
): string {
  const isWebp = format === 'smallest' && canvas.toDataURL('image/webp', 0).startsWith('data:image/webp');
  if (!isWebp) fillTransparentParts(canvas);
  const type = isWebp ? 'image/webp' : 'image/jpeg';
  for (const quality of QUALITIES) {
    const address = canvas.toDataURL(type, quality);
    if (address.length <= maxCharacters) return address;
  }
  throw new Error('the picture cannot be made small enough');
}

/** JPEG has no transparency, and would show black. */
function fillTransparentParts(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
}

/** Rejects for a file that contains no picture. */
export const shrinkPicture = async (file: Blob, size: PictureSize, format?: PictureFormat): Promise<string> =>
  toPictureAddress(drawPicture(await createImageBitmap(file), size), format);

export interface FittedPicture extends PictureSize {
  address: string;
}

/** The column of a post has 672 points, on screens of two pixels a point and a little more. */
const MAX_SIDE = 1_600;
/** Base64 has four characters for three bytes. */
const MAX_FITTED_CHARACTERS = Math.floor((MAX_POST_PICTURE_BYTES * 4) / 3);

/** Keeps the whole picture. Rejects for a file that contains none. */
export async function fitPicture(file: Blob): Promise<FittedPicture> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / picture.width, MAX_SIDE / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const address = toPictureAddress(drawPicture(picture, { width, height }), 'smallest', MAX_FITTED_CHARACTERS);
  return { address, width, height };
}
