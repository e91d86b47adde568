/** Pictures of a pack: files on one side, `data:` addresses in documents on the other. */
import { err, explain, type Explanation, ok, type Result } from '@parley/domain';

const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};
const EXTENSION_BY_TYPE: Readonly<Record<string, string>> = {
  'image/svg+xml': 'svg',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

export const IMAGE_EXTENSIONS: readonly string[] = Object.keys(TYPE_BY_EXTENSION);

/** Returns the picture's real type by its first bytes, or null when it is none. */
export function imageTypeOf(bytes: Uint8Array): string | null {
  const starts = (...first: number[]): boolean => first.every((byte, index) => bytes[index] === byte);
  const ascii = (from: number, to: number): string => String.fromCharCode(...bytes.slice(from, to));
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (ascii(0, 4) === 'GIF8') return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  return START_OF_SVG.test(new TextDecoder().decode(bytes.slice(0, 2_000))) ? 'image/svg+xml' : null;
}

/** A comment ends at its first `-->`. If it could end later too, many comments would take years. */
const START_OF_SVG = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<svg[\s>]/;
/**
 * Forbidden content of a drawing. As a picture it could not run a script, but it may be opened in other ways. Only a `use` of something in
 * the same drawing is allowed. The search for its address ends at the next tag, because a file of megabytes may have thousands of them.
 */
const ACTIVE_SVG =
  /<\s*(?:[^\s<>:]+:)?(?:script|foreignObject|iframe|image|feImage|use\s[^<]*href\s*=(?!\s*(?:["']\s*)?#)|!ENTITY)|\son[a-z]+\s*=|javascript:/i;

export function imageToAddress(file: string, bytes: Uint8Array): Result<string, Explanation> {
  const type = imageTypeOf(bytes);
  const extension = file.split('.').at(-1)?.toLowerCase() ?? '';
  if (type === null) return err(explain('picture.none'));
  if (TYPE_BY_EXTENSION[extension] !== type)
    return err(explain('picture.other_type', { type: EXTENSION_BY_TYPE[type] ?? type }));
  if (type !== 'image/svg+xml') return ok(`data:${type};base64,${Buffer.from(bytes).toString('base64')}`);
  const svg = new TextDecoder().decode(bytes);
  return ACTIVE_SVG.test(svg) ? err(explain('picture.active')) : ok(svgAddress(svg));
}

export const svgAddress = (svg: string): string =>
  `data:image/svg+xml;utf8,${encodeURIComponent(svg.trim()).replaceAll('%20', ' ').replaceAll('%3D', '=').replaceAll('%22', "'").replaceAll('%2F', '/')}`;

/** Returns null for an address that contains no picture, or a damaged one. */
export function imageFromAddress(address: string): { extension: string; bytes: Uint8Array } | null {
  const match = /^data:(image\/[a-z+]+);(base64|utf8),([^]*)$/.exec(address);
  const [, type = '', encoding, data = ''] = match ?? [];
  const extension = EXTENSION_BY_TYPE[type];
  if (extension === undefined) return null;
  if (encoding === 'base64') return { extension, bytes: Buffer.from(data, 'base64') };
  try {
    return { extension, bytes: new TextEncoder().encode(decodeURIComponent(data)) };
  } catch {
    // A percent sign that does not start an escape sequence.
    return null;
  }
}
