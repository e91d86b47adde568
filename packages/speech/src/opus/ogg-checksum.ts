/** The checksum of an Ogg page (RFC 3533, section 6): CRC-32 with the polynomial 0x04c11db7, neither reflected nor inverted. */

const POLYNOMIAL = 0x04c1_1db7;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 0x8000_0000) === 0 ? value << 1 : (value << 1) ^ POLYNOMIAL;
  return value >>> 0;
});

/** The page's own checksum field must be zero. */
export function oggChecksum(page: Uint8Array): number {
  let checksum = 0;
  for (const byte of page) checksum = ((checksum << 8) ^ (TABLE[((checksum >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return checksum;
}
