/** Listens to the pokes that the server sends to a device over a real connection. */
import { type Poke, POKE_ROWS_HEADER, POKE_ROWS_WANTED, PokeWithRows } from '@parley/contract';
import type { TestDevice } from '../server.ts';

export interface PokeListener {
  /** Resolves with the next poke at these versions or later. Throws on a timeout. */
  waitForVersions: (versions: Partial<Poke>, withinMs?: number) => Promise<PokeWithRows>;
  /** Resolves when the server closes the connection. */
  closed: Promise<void>;
  received: readonly PokeWithRows[];
  disconnect: () => void;
}

export async function listenForPokes(
  address: string,
  { token }: Pick<TestDevice, 'token'>,
  { wantsRows = false }: { wantsRows?: boolean } = {},
): Promise<PokeListener> {
  const hanging = new AbortController();
  const response = await fetch(`${address}/v1/sync/pokes`, {
    headers: { authorization: `Bearer ${token}`, ...(wantsRows ? { [POKE_ROWS_HEADER]: POKE_ROWS_WANTED } : {}) },
    signal: hanging.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`pokes: ${response.status} ${await response.text()}`);
  const heard: PokeWithRows[] = [];
  const waiting = new Set<() => void>();
  const read = async (body: NonNullable<typeof response.body>): Promise<void> => {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      heard.push(...events.flatMap(pokeOf));
      for (const wake of waiting) wake();
    }
  };
  const ended = read(response.body);
  // Aborting rejects the read; the caller has asked for that.
  ended.catch(() => undefined);

  return {
    received: heard,
    closed: ended,
    disconnect: () => hanging.abort(),
    waitForVersions: ({ user = 0, catalogue = 0 }, withinMs = 10_000) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const look = (): void => {
          const poke = heard.find((said) => said.user >= user && said.catalogue >= catalogue);
          if (poke === undefined) return;
          stop();
          resolve(poke);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`no poke at version ${user} within ${withinMs} ms, only ${JSON.stringify(heard)}`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
  };
}

/** Parses a message event. Other events only keep the connection alive. */
function pokeOf(event: string): PokeWithRows[] {
  const lines = event.split('\n');
  const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length);
  return lines.includes('event: message') && data !== undefined ? [PokeWithRows.parse(JSON.parse(data))] : [];
}
