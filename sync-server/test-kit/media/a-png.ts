/** Makes PNG pictures of any size. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A black picture. `padding` adds this many bytes to its file. */
export function aPng(width: number, height: number, padding = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const comment = Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(padding, ' ')]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('tEXt', comment),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A small file that claims to be a large picture. */
export function withWidth(png: Buffer, width: number): Buffer {
  png.writeUInt32BE(width, 16);
  return png;
}

export const toAddress = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
