/** A device's open line: what the server pokes it with, over a real connection. */
import { Poke } from '@parley/contract';
import type { TestDevice } from './server.ts';

export interface PokeListener {
  /** The next poke that reaches these versions; throws when the line ends or it takes too long. */
  reaches: (versions: Partial<Poke>, withinMs?: number) => Promise<Poke>;
  /** Resolves when the server ends the line. */
  ended: Promise<void>;
  heard: readonly Poke[];
  hangUp: () => void;
}

export async function listenTo(address: string, { token }: Pick<TestDevice, 'token'>): Promise<PokeListener> {
  const hanging = new AbortController();
  const response = await fetch(`${address}/v1/sync/pokes`, {
    headers: { authorization: `Bearer ${token}` },
    signal: hanging.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`pokes: ${response.status} ${await response.text()}`);
  const heard: Poke[] = [];
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
  // Whoever hangs up hears no end.
  ended.catch(() => undefined);

  return {
    heard,
    ended,
    hangUp: () => hanging.abort(),
    reaches: ({ user = 0, catalogue = 0 }, withinMs = 1_000) =>
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
          reject(new Error(`no poke at ${user} within ${withinMs} ms, only ${JSON.stringify(heard)}`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
  };
}

/** The data of an event that is a message; the line is kept open with others. */
function pokeOf(event: string): Poke[] {
  const lines = event.split('\n');
  const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length);
  return lines.includes('event: message') && data !== undefined ? [Poke.parse(JSON.parse(data))] : [];
}
