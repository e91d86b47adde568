/**
 * Reads and writes Opus in Ogg (RFC 3533 and RFC 7845): one mono stream, the format of Parley's copies of recordings.
 * The reader trusts nothing: it verifies every checksum and adds up the durations of the packets.
 */
import { err, ok, type Result } from '@parley/domain';
import { oggChecksum } from './ogg-checksum.ts';
import { packetDuration } from './packet-duration.ts';

/** Positions in an Ogg Opus file always count samples at this rate. */
export const POSITION_RATE_HZ = 48_000;

export interface OpusPackets {
  packets: Uint8Array[];
  /** Samples at 48 kHz that the encoder added before the sound. */
  preSkip: number;
  /** Samples at 48 kHz that are played. */
  playedSamples: number;
}

export type OggError = { code: 'not_opus' } | { code: 'damaged' } | { code: 'too_long' };

const PAGE_HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
const CHECKSUM_OFFSET = 22;
const CONTINUED = 1;
const FIRST_PAGE = 2;
const LAST_PAGE = 4;
/** One second of 20 ms packets, so that a lost or damaged page costs no more than that. */
const PACKETS_PER_PAGE = 50;
/** A file with one stream needs no particular number; with a fixed one, equal audio gives equal bytes. */
const SERIAL = 0x5041_524c;
const HEAD_BYTES = 19;

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const HEAD_TAG = ascii('OpusHead');
const TAGS_TAG = ascii('OpusTags');
const PAGE_TAG = ascii('OggS');

/** Writes packets of equal duration. `playedSamples` says where the audio ends within the last of them. */
export function writeOggOpus({ packets, preSkip, playedSamples }: OpusPackets, inputRateHz: number): Uint8Array {
  const pages = [
    writePage([head(preSkip, inputRateHz)], { flags: FIRST_PAGE, position: 0, sequence: 0 }),
    writePage([tags()], { flags: 0, position: 0, sequence: 1 }),
  ];
  let position = 0;
  for (let first = 0; first < packets.length; first += PACKETS_PER_PAGE) {
    const inPage = packets.slice(first, first + PACKETS_PER_PAGE);
    position += inPage.reduce((sum, packet) => sum + (packetDuration(packet) ?? 0), 0);
    const isLast = first + PACKETS_PER_PAGE >= packets.length;
    pages.push(
      writePage(inPage, {
        flags: isLast ? LAST_PAGE : 0,
        position: isLast ? preSkip + playedSamples : position,
        sequence: pages.length,
      }),
    );
  }
  return concatenate(pages);
}

/** Fails for anything but one complete mono stream of at most `maxMs`. */
export function readOggOpus(bytes: Uint8Array, { maxMs }: { maxMs: number }): Result<OpusPackets, OggError> {
  const pages = readPages(bytes);
  if (!pages.ok) return pages;
  const [first, second, ...sound] = pages.value;
  const preSkip = first === undefined ? null : readHead(first);
  if (preSkip === null || second === undefined || !startsWith(second.packets[0] ?? new Uint8Array(), TAGS_TAG))
    return err({ code: 'not_opus' });
  const last = sound.at(-1);
  if (last === undefined || (last.flags & LAST_PAGE) === 0) return err({ code: 'damaged' });
  const packets = sound.flatMap((page) => page.packets);
  let decodedSamples = 0;
  for (const packet of packets) {
    const duration = packetDuration(packet);
    if (duration === null) return err({ code: 'damaged' });
    decodedSamples += duration;
  }
  const playedSamples = last.position - preSkip;
  if (decodedSamples > (maxMs / 1_000) * POSITION_RATE_HZ) return err({ code: 'too_long' });
  if (playedSamples <= 0 || last.position > decodedSamples) return err({ code: 'damaged' });
  return ok({ packets, preSkip, playedSamples });
}

interface Page {
  flags: number;
  position: number;
  packets: Uint8Array[];
}

function writePage(
  packets: readonly Uint8Array[],
  { flags, position, sequence }: { flags: number; position: number; sequence: number },
): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / MAX_SEGMENTS)).fill(MAX_SEGMENTS),
    length % MAX_SEGMENTS,
  ]);
  if (lacing.length > MAX_SEGMENTS) throw new Error('the packets do not fit into one page');
  const header = new Uint8Array(PAGE_HEADER_BYTES);
  const view = new DataView(header.buffer);
  header.set(PAGE_TAG);
  header[5] = flags;
  view.setBigUint64(6, BigInt(position), true);
  view.setUint32(14, SERIAL, true);
  view.setUint32(18, sequence, true);
  header[26] = lacing.length;
  const page = concatenate([header, Uint8Array.from(lacing), ...packets]);
  new DataView(page.buffer).setUint32(CHECKSUM_OFFSET, oggChecksum(page), true);
  return page;
}

function readPages(bytes: Uint8Array): Result<Page[], OggError> {
  const pages: Page[] = [];
  for (let offset = 0; offset < bytes.length;) {
    if (!startsWith(bytes.subarray(offset), PAGE_TAG)) return err({ code: offset === 0 ? 'not_opus' : 'damaged' });
    const page = readPage(bytes.subarray(offset), pages.length);
    if (page === null) return err({ code: 'damaged' });
    pages.push(page);
    offset += page.bytes;
  }
  return pages.length === 0 ? err({ code: 'not_opus' }) : ok(pages);
}

/** Null for a page that is damaged, belongs to another stream, or contains an incomplete packet. */
function readPage(bytes: Uint8Array, sequence: number): (Page & { bytes: number }) | null {
  if (bytes.length < PAGE_HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(5);
  const segmentCount = view.getUint8(26);
  const lacing = bytes.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + segmentCount);
  const bodyBytes = lacing.reduce((sum, length) => sum + length, 0);
  const pageBytes = PAGE_HEADER_BYTES + segmentCount + bodyBytes;
  const isWhole = lacing.length === segmentCount && bytes.length >= pageBytes && lacing.at(-1) !== MAX_SEGMENTS;
  const isNext =
    view.getUint8(4) === 0 &&
    (flags & CONTINUED) === 0 &&
    ((flags & FIRST_PAGE) !== 0) === (sequence === 0) &&
    view.getUint32(14, true) === SERIAL &&
    view.getUint32(18, true) === sequence;
  if (!isWhole || !isNext) return null;
  // A copy, because the checksum is computed without itself. `slice` of a Buffer would share its memory.
  const page = Uint8Array.from(bytes.subarray(0, pageBytes));
  const checksum = view.getUint32(CHECKSUM_OFFSET, true);
  new DataView(page.buffer).setUint32(CHECKSUM_OFFSET, 0);
  const position = view.getBigUint64(6, true);
  if (oggChecksum(page) !== checksum || position > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const packets: Uint8Array[] = [];
  let start = PAGE_HEADER_BYTES + segmentCount;
  let end = start;
  for (const length of lacing) {
    end += length;
    if (length === MAX_SEGMENTS) continue;
    packets.push(page.subarray(start, end));
    start = end;
  }
  return { flags, position: Number(position), packets, bytes: pageBytes };
}

function head(preSkip: number, inputRateHz: number): Uint8Array {
  const packet = new Uint8Array(HEAD_BYTES);
  const view = new DataView(packet.buffer);
  packet.set(HEAD_TAG);
  view.setUint8(8, 1);
  view.setUint8(9, 1);
  view.setUint16(10, preSkip, true);
  view.setUint32(12, inputRateHz, true);
  return packet;
}

/** Returns the pre-skip of a mono stream without gain; null for any other. */
function readHead({ packets }: Page): number | null {
  const [packet] = packets;
  if (packet === undefined || packets.length !== 1 || packet.length !== HEAD_BYTES || !startsWith(packet, HEAD_TAG))
    return null;
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  const isPlainMono = view.getUint8(8) === 1 && view.getUint8(9) === 1 && view.getUint8(18) === 0;
  return isPlainMono && view.getInt16(16, true) === 0 ? view.getUint16(10, true) : null;
}

/** The comments that RFC 7845 requires: a vendor, and nothing else. */
function tags(): Uint8Array {
  const vendor = ascii('Parley');
  const packet = new Uint8Array(TAGS_TAG.length + 4 + vendor.length + 4);
  packet.set(TAGS_TAG);
  new DataView(packet.buffer).setUint32(TAGS_TAG.length, vendor.length, true);
  packet.set(vendor, TAGS_TAG.length + 4);
  return packet;
}

const startsWith = (bytes: Uint8Array, tag: Uint8Array): boolean =>
  bytes.length >= tag.length && tag.every((byte, index) => bytes[index] === byte);

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
