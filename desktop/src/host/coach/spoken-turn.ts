/** A turn that is heard while it is spoken: its sound goes out as it comes, and what was understood is there soon after its end. */
import type { Understood } from './cloud-coach.ts';

export interface SpokenTurn {
  /** 16-bit mono PCM at 16 kHz. */
  add(pcm: Uint8Array): void;
  /** No more will come. Null where nobody could listen along, for whatever reason: who asks has the whole recording. */
  end(): Promise<Understood | null>;
  /** Nobody wants to know any more. */
  drop(): void;
}

/** `send` takes the sound as soon as it may; until then it waits here. */
export function openSpokenTurn(
  send: (sound: ReadableStream<Uint8Array>, signal: AbortSignal) => Promise<Understood | null>,
): SpokenTurn {
  const leaving = new AbortController();
  let out: ReadableStreamDefaultController<Uint8Array> | null = null;
  const sound = new ReadableStream<Uint8Array>({
    start: (controller) => {
      out = controller;
    },
    cancel: () => {
      out = null;
    },
  });
  const understood = send(sound, leaving.signal).catch(() => null);

  const close = (): void => {
    out?.close();
    out = null;
  };
  const drop = (): void => {
    close();
    leaving.abort();
  };
  return {
    add: (pcm) => out?.enqueue(pcm),
    end: async () => {
      // Nobody has taken it yet: the whole recording is no later, and needs no second try.
      if (!sound.locked) {
        drop();
        return null;
      }
      close();
      return understood;
    },
    drop,
  };
}
