/**
 * Scales pictures down where they are chosen, so that they sync with the rows, work offline and lose their location
 * metadata.
 */

export interface PictureSize {
  width: number;
  height: number;
}

export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/gif';

/** The size limit of a picture in a row that is sent to devices. */
const MAX_CHARACTERS = 200_000;
const QUALITIES = [0.85, 0.6, 0.35, 0.15, 0.05, 0];

/** Crops a picture or the current frame of a video to this size, around its centre. */
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

/** Every program that shows link previews can read JPEG. */
export type PictureFormat = 'smallest' | 'jpeg';

/**
 * The highest quality that fits the size limit of a data URL. `smallest` is WebP if the browser can write it, and JPEG
 * otherwise.
 */
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

/** Rejects a file that is not a picture. */
export const shrinkPicture = async (
  file: Blob,
  size: PictureSize,
  format?: PictureFormat,
  maxCharacters?: number,
): Promise<string> => toPictureAddress(drawPicture(await createImageBitmap(file), size), format, maxCharacters);
