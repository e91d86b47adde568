/** Derives the ids of content from the names of its files. */
import { createHash } from 'node:crypto';

const NAMESPACE = 'parley.catalogue';

/** The same picture has one id on every server, so a text that shows it can move from one to another. */
export const pictureId = (bytes: Uint8Array): string =>
  stableId('media', createHash('sha256').update(bytes).digest('hex'));

/** Derives a version 5 UUID (RFC 9562) from a key, so a row keeps its id across builds. */
export function stableId(...key: readonly string[]): string {
  const hash = createHash('sha1')
    .update([NAMESPACE, ...key].join('/'))
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.subarray(0, 16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
