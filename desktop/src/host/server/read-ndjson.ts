/** Parses an NDJSON stream line by line. A stream without its end line was cut off. */
import { MAX_STREAM_LINE_BYTES } from '@parley/contract';
import type { z } from 'zod';

/** The connection broke and should be reopened. */
export class ConnectionLost extends Error {}

const NEWLINE = 10;

export async function* readNdjson<Line extends { type: string }>(
  body: ReadableStream<Uint8Array>,
  { schema, onChunk }: { schema: z.ZodType<Line>; onChunk: () => void },
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    onChunk();
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, end));
      start = end + 1;
      const line = schema.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
      parts = [];
      bytes = 0;
      yield line;
      if (line.type === 'end') return;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_STREAM_LINE_BYTES) throw new Error("a line of the server's stream exceeds the size limit");
  }
  throw new ConnectionLost('the stream was cut off');
}
