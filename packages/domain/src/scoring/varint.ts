/** Encodes small integers in few bytes: LEB128, with zigzag for signed values (as in Protocol Buffers). */

export interface ByteWriter {
  byte(value: number): void;
  unsigned(value: number): void;
  signed(value: number): void;
  bytes(): Uint8Array;
}

export function createByteWriter(): ByteWriter {
  const written: number[] = [];
  const unsigned = (value: number): void => {
    let remaining = value;
    while (remaining >= 0x80) {
      written.push((remaining % 0x80) + 0x80);
      remaining = Math.floor(remaining / 0x80);
    }
    written.push(remaining);
  };
  return {
    byte: (value) => void written.push(value),
    unsigned,
    signed: (value) => unsigned(value >= 0 ? value * 2 : -value * 2 - 1),
    bytes: () => Uint8Array.from(written),
  };
}

export interface ByteReader {
  /** Returns 0 past the end. */
  byte(): number;
  unsigned(): number;
  signed(): number;
  isAtEnd(): boolean;
}

export function createByteReader(bytes: Uint8Array): ByteReader {
  let position = 0;
  const byte = (): number => {
    const value = bytes[position] ?? 0;
    position += 1;
    return value;
  };
  const unsigned = (): number => {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 42; factor *= 0x80) {
      const group = byte();
      value += (group % 0x80) * factor;
      if (group < 0x80) break;
    }
    return value;
  };
  return {
    byte,
    unsigned,
    signed: () => {
      const value = unsigned();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    },
    isAtEnd: () => position >= bytes.length,
  };
}
