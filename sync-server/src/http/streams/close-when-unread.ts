import type { FastifyReply } from 'fastify';

/** Closes the connection when a piece is not taken in time, so that nothing further is read for it. */
export async function* closeWhenUnread<Piece>(
  pieces: AsyncGenerator<Piece>,
  { reply, timeoutMs }: { reply: FastifyReply; timeoutMs: number },
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    const timer = setTimeout(() => reply.raw.destroy(), timeoutMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}
