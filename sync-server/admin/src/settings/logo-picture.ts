/** Converts the file that an admin has chosen into a logo for pages: a PNG that keeps its shape and transparency. */
import { MAX_LOGO_BYTES, MAX_LOGO_SIZE } from '@parley/contract';

/** The size of a drawing is arbitrary, so it may be enlarged. */
const DRAWING_TYPE = 'image/svg+xml';
/** Photos are large as PNG, and are scaled down until they fit. */
const SHARES = [1, 0.75, 0.5, 0.35, 0.25];

/** Returns a `data:` address. Rejects a file that is not a picture. */
export async function toLogo(file: Blob): Promise<string> {
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    return drawLogo(picture, file.type === DRAWING_TYPE ? Number.POSITIVE_INFINITY : 1);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawLogo(picture: HTMLImageElement, maxScale: number): string {
  const { naturalWidth, naturalHeight } = picture;
  const scale = Math.min(maxScale, MAX_LOGO_SIZE.width / naturalWidth, MAX_LOGO_SIZE.height / naturalHeight);
  for (const share of SHARES) {
    const canvas = globalThis.document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(naturalWidth * scale * share));
    canvas.height = Math.max(1, Math.round(naturalHeight * scale * share));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const logo = canvas.toDataURL('image/png');
    if (atob(logo.slice(logo.indexOf(',') + 1)).length <= MAX_LOGO_BYTES) return logo;
  }
  throw new Error('the logo cannot be made small enough');
}
