/** Sends a stored file, whole or in one range, and no content to a reader who already has it. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { ByteRange } from '../../ports/storage/file-storage.ts';
import { sendNotFound } from '../server/create-http-server.ts';

export interface SentFile {
  bytes: number;
  mediaType: string;
  sha256: string;
  /** Null when the storage has lost it. */
  open: (range?: ByteRange) => Promise<Readable | null>;
  /** Reports the missing file; may throw an error to send instead of "not found". */
  onMissing: () => void;
}

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<unknown> {
  const etag = `"${file.sha256}"`;
  void reply.headers({ etag, 'content-type': file.mediaType });
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const { range: wanted, 'if-range': ifRange } = request.headers;
  const range =
    wanted === undefined || (ifRange !== undefined && ifRange !== etag) ? null : toRange(file.bytes, wanted);
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${file.bytes}`).removeHeader('content-type').send();
  const length = range === null ? file.bytes : range.end - range.start + 1;
  void reply.header('content-length', length);
  if (range !== null) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  // A stream would be read to its end.
  if (request.method === 'HEAD') return reply.send();
  const content = await file.open(range ?? undefined);
  if (content !== null) return reply.send(content);
  for (const name of ['etag', 'content-type', 'content-length', 'content-range', 'cache-control'])
    void reply.removeHeader(name);
  file.onMissing();
  return sendNotFound(request, reply);
}

const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim())) === true;

/** Null when the whole file is sent, which is also the case for several ranges and for an invalid header. */
function toRange(bytes: number, header: string): ByteRange | 'unsatisfiable' | null {
  const ranges = parseRange(bytes, header, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  const [range] = ranges;
  return range === undefined ? null : { start: range.start, end: range.end };
}
