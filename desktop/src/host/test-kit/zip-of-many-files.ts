/**
 * Builds a zip file of very many small files, with ZIP64's counts. yazl searches all entries for each one that it
 * writes, which takes a quarter of a minute for 65,536 of them. The layout is that of PKWARE's APPNOTE, sections 4.3.7
 * to 4.3.16.
 */
import { crc32 } from 'node:zlib';

const VERSION_WITH_ZIP64 = 45;
const SEE_ZIP64_16 = 0xffff;
const SEE_ZIP64_32 = 0xffff_ffff;

/** Each file contains its own name. */
export function zipOfManyFiles(names: readonly string[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let headerAt = 0;
  for (const name of names) {
    const bytes = Buffer.from(name);
    const described = describeFile(bytes);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), described, bytes, bytes]);
    files.push(local);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02', 'latin1'),
        uint16(VERSION_WITH_ZIP64),
        described,
        // Comment length, disk number, attributes, and the offset of the file.
        Buffer.alloc(10),
        uint32(headerAt),
        bytes,
      ]),
    );
    headerAt += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  return Buffer.concat([
    ...files,
    directoryBytes,
    endOfDirectory({ entries: names.length, startsAt: headerAt, length: directoryBytes.length }),
  ]);
}

/** The part that both headers of a stored file have in common. */
function describeFile(nameAndContent: Buffer): Buffer {
  const { length } = nameAndContent;
  // Version, flags, method "stored", time and date, followed by the sizes of the content, the name and the extra field.
  return Buffer.concat([
    uint16(VERSION_WITH_ZIP64),
    Buffer.alloc(8),
    uint32(crc32(nameAndContent)),
    uint32(length),
    uint32(length),
    uint16(length),
    uint16(0),
  ]);
}

function endOfDirectory({ entries, startsAt, length }: { entries: number; startsAt: number; length: number }): Buffer {
  const record = Buffer.concat([
    Buffer.from('PK\x06\x06', 'latin1'),
    uint64(44),
    uint16(VERSION_WITH_ZIP64),
    uint16(VERSION_WITH_ZIP64),
    // The number of this disk, and of the disk with the directory.
    Buffer.alloc(8),
    uint64(entries),
    uint64(entries),
    uint64(length),
    uint64(startsAt),
  ]);
  const locator = Buffer.concat([Buffer.from('PK\x06\x07', 'latin1'), uint32(0), uint64(startsAt + length), uint32(1)]);
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    Buffer.alloc(4),
    uint16(SEE_ZIP64_16),
    uint16(SEE_ZIP64_16),
    uint32(SEE_ZIP64_32),
    uint32(SEE_ZIP64_32),
    uint16(0),
  ]);
  return Buffer.concat([record, locator, end]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
