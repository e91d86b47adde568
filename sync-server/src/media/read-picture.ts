/** Inspects a picture: its type and its size. The file's name is ignored. */
import { fileTypeFromBuffer } from 'file-type';

export interface PictureSize {
  /** In pixels. */
  width: number;
  height: number;
}

interface PictureFacts extends PictureSize {
  mediaType: string;
}

/** Where the formats store the size. */
const MEASURE_BY_TYPE: Readonly<Partial<Record<string, (bytes: Buffer) => PictureSize | null>>> = {
  'image/png': measurePng,
  'image/jpeg': measureJpeg,
  'image/webp': measureWebp,
  'image/gif': measureGif,
};
/** The formats in which pictures are kept as files. A GIF can only be part of a document. */
const FILE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * An app needs four bytes per pixel while it shows a picture, and an empty picture of any size is a file of a few
 * kilobytes. The limit is larger than any camera's picture that fits into an upload.
 */
const MAX_PIXELS = 50_000_000;

/** Null when the bytes are not a PNG, JPEG or WebP, end before the size, or have more pixels than an app can show. */
export async function readPicture(bytes: Buffer): Promise<PictureFacts | null> {
  const picture = await measurePicture(bytes);
  return picture !== null && FILE_TYPES.has(picture.mediaType) ? picture : null;
}

/** Returns the type and the size in pixels of a PNG, JPEG, WebP or GIF; null if it is none of these or too large. */
export async function measurePicture(bytes: Buffer): Promise<PictureFacts | null> {
  const mediaType = (await fileTypeFromBuffer(bytes))?.mime ?? '';
  try {
    const size = MEASURE_BY_TYPE[mediaType]?.(bytes) ?? null;
    const pixels = size === null ? 0 : size.width * size.height;
    return size === null || pixels === 0 || pixels > MAX_PIXELS ? null : { mediaType, ...size };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** https://www.w3.org/TR/png-3/#11IHDR */
function measurePng(bytes: Buffer): PictureSize {
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18 */
function measureGif(bytes: Buffer): PictureSize {
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

const FRAME_HEADERS = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2: the frame header follows segments that state their length. */
function measureJpeg(bytes: Buffer): PictureSize | null {
  let at = 2;
  while (bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (FRAME_HEADERS.has(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // Any number of these bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

const SIDE = 0x3fff;

/** https://developers.google.com/speed/webp/docs/riff_container: lossy, lossless, or extended. */
function measureWebp(bytes: Buffer): PictureSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & SIDE, height: bytes.readUInt16LE(28) & SIDE };
    case 'VP8L': {
      const sides = bytes.readUInt32LE(21);
      return { width: (sides & SIDE) + 1, height: ((sides >>> 14) & SIDE) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
