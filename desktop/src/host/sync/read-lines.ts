/** The lines of a stream of NDJSON, each parsed; a stream without its last line was cut off. */
import { MAX_STREAM_LINE_BYTES, StreamLine } from '@parley/contract';

/** A line to the server broke; it is opened again. */
export class LineBroken extends Error {}

const NEWLINE = 10;

export async function* readLines(body: ReadableStream<Uint8Array>, onChunk: () => void): AsyncGenerator<StreamLine> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    onChunk();
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, end));
      start = end + 1;
      const line = parse(parts);
      parts = [];
      bytes = 0;
      yield line;
      if (line.type === 'end') return;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_STREAM_LINE_BYTES) throw new Error('the server sends a line that is longer than any may be');
  }
  throw new LineBroken('the stream was cut off');
}

const parse = (parts: readonly Uint8Array[]): StreamLine =>
  StreamLine.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
