/** Pieces that are pushed on one side and awaited one by one on the other. */
export interface Pieces<Piece> {
  push: (piece: Piece) => void;
  end: () => void;
  /** Who waits hears of it at once: what was pushed before and not yet taken is dropped. */
  fail: (error: unknown) => void;
  taken: AsyncIterable<Piece>;
}

export function createPieces<Piece>(): Pieces<Piece> {
  const waiting: Piece[] = [];
  let outcome: { error: unknown } | 'ended' | null = null;
  let wake = Promise.withResolvers<void>();
  const change = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  async function* take(): AsyncGenerator<Piece> {
    for (;;) {
      if (outcome !== null && outcome !== 'ended') throw outcome.error;
      const piece = waiting.shift();
      if (piece !== undefined) yield piece;
      else if (outcome === 'ended') return;
      else await wake.promise;
    }
  }
  return {
    push: (piece) => {
      if (outcome !== null) return;
      waiting.push(piece);
      change();
    },
    end: () => {
      outcome ??= 'ended';
      change();
    },
    fail: (error) => {
      outcome ??= { error };
      change();
    },
    taken: { [Symbol.asyncIterator]: take },
  };
}
