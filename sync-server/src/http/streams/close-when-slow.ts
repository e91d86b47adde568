import type { FastifyReply } from 'fastify';

/** How little a reader may take, counted while pieces wait for it. */
export interface MinimumPace {
  bytes: number;
  periodMs: number;
}

/**
 * Closes the connection of a reader that takes some pieces now and then, which would keep its place for weeks. Each piece must be taken or
 * given up in a time of its own.
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
