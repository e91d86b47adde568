/** Finds the rows in a JSON file that is too long to be parsed at once. */

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_ROW, CLOSE_ROW] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Yields the text of each object in a JSON array, whatever its formatting. Throws a `SyntaxError` when the content is
 * not an array of objects, is cut off, or contains an object of more than `maxRowBytes`.
 */
export async function* readJsonRows(
  content: AsyncIterable<Buffer>,
  { maxRowBytes }: { maxRowBytes: number },
): AsyncGenerator<string, void> {
  /** The nesting depth: 1 between the rows, and 2 or more inside one. */
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isComplete = false;
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  for await (const chunk of content) {
    let rowAt = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (depth < 2) {
        if (byte === OPEN_ROW && depth === 1) [depth, rowAt] = [2, at];
        else if (byte === OPEN_LIST && depth === 0 && !isComplete) depth = 1;
        else if (byte === CLOSE_LIST && depth === 1) [depth, isComplete] = [0, true];
        else if (!isSpace(byte) && !(byte === COMMA && depth === 1)) throw new SyntaxError('not an array of objects');
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_ROW || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_ROW || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth > 1) continue;
        if (pieceBytes + at - rowAt > maxRowBytes) throw new SyntaxError('the row is too long');
        yield Buffer.concat([...pieces, chunk.subarray(rowAt, at + 1)]).toString('utf8');
        [pieces, pieceBytes] = [[], 0];
      }
    }
    if (depth < 2) continue;
    pieces.push(chunk.subarray(rowAt));
    pieceBytes += chunk.length - rowAt;
    if (pieceBytes > maxRowBytes) throw new SyntaxError('the row is too long');
  }
  if (!isComplete) throw new SyntaxError('the content is cut off');
}
