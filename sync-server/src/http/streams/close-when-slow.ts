import type { FastifyReply } from 'fastify';

/** The minimum speed of a reader, measured while pieces are waiting for it. */
export interface MinimumPace {
  bytes: number;
  periodMs: number;
}

/**
 * Closes the connection of a reader that is so slow that it would keep its place for weeks. In addition, each piece
 * must be taken within its own time limit.
 */
export async function* closeWhenSlow<Piece extends string | Uint8Array>(
  pieces: AsyncGenerator<Piece>,
  { reply, pace }: { reply: FastifyReply; pace: MinimumPace },
): AsyncGenerator<Piece> {
  let [bytes, waitedMs] = [0, 0];
  for await (const piece of pieces) {
    const offeredMs = performance.now();
    yield piece;
    waitedMs += performance.now() - offeredMs;
    bytes += Buffer.byteLength(piece);
    if (waitedMs < pace.periodMs) continue;
    if (bytes < pace.bytes) {
      reply.raw.destroy();
      return;
    }
    [bytes, waitedMs] = [0, 0];
  }
}
