/** One line to the provider, hung up when nothing comes over it for too long or when whoever asked goes away. */
import { ProviderTrouble, troubleOf } from './provider-trouble.ts';
import type { Timeouts } from './timeouts.ts';

/** After the whole answer: a line that ends well can be used again, but nobody waits for that. */
const LINGER_MS = 200;

export interface Line {
  /** For the call; when it ends the call is broken off upstream too. */
  readonly signal: AbortSignal;
  /** Waits for a piece. Throws what the asker's signal says, or a `ProviderTrouble`. */
  expect: <Piece>(piece: PromiseLike<Piece>) => Promise<Piece>;
  /** Pieces as they come; the line is hung up when nobody takes them any more. */
  follow: <Piece>(pieces: AsyncIterable<Piece>) => AsyncGenerator<Piece, void>;
  /** The answer is whole; whatever the line does now is of no interest. */
  answered: () => void;
}

export function openLine(asker: AbortSignal, timeouts: Pick<Timeouts, 'firstByteMs' | 'silenceMs'>): Line {
  const ours = new AbortController();
  const signal = AbortSignal.any([asker, ours.signal]);
  const firstByteAt = performance.now() + timeouts.firstByteMs;
  let hasHeard = false;
  let isAnswered = false;

  const patienceMs = (): number => {
    if (isAnswered) return LINGER_MS;
    return hasHeard ? timeouts.silenceMs : Math.max(0, firstByteAt - performance.now());
  };
  const hangUp = (): void => {
    const what = hasHeard ? 'fell silent' : 'no first byte in time';
    ours.abort(new ProviderTrouble('unreachable', what));
  };
  const expect = async <Piece>(piece: PromiseLike<Piece>): Promise<Piece> => {
    const timer = setTimeout(hangUp, patienceMs());
    try {
      const came = await piece;
      // The client ends a stream that is broken off as if it were whole.
      signal.throwIfAborted();
      return came;
    } catch (error) {
      signal.throwIfAborted();
      throw troubleOf(error);
    } finally {
      clearTimeout(timer);
    }
  };

  async function* follow<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await expect(iterator.next());
        if (next.done === true) return;
        hasHeard = true;
        yield next.value;
      }
    } catch (error) {
      if (!isAnswered) throw error;
    } finally {
      // Hangs up where there is more to come; it complains where that was done already.
      await Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }

  return {
    signal,
    expect,
    follow,
    answered: () => {
      isAnswered = true;
    },
  };
}
