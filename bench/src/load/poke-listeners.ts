/** Opens poke connections of many devices, to measure what an idle connection costs. */
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { LoadDevice } from './seed-learners.ts';

export interface PokeListeners {
  close: () => void;
}

/** Resolves when every connection is open and has received its first event. */
export async function openPokeListeners(url: string, devices: readonly LoadDevice[]): Promise<PokeListeners> {
  const connections: IncomingMessage[] = [];
  const BATCH_SIZE = 100;
  for (let from = 0; from < devices.length; from += BATCH_SIZE)
    connections.push(
      ...(await Promise.all(devices.slice(from, from + BATCH_SIZE).map((device) => listenForPokes(url, device)))),
    );
  return {
    close: () => {
      for (const line of connections) line.destroy();
    },
  };
}

async function listenForPokes(url: string, { token }: LoadDevice): Promise<IncomingMessage> {
  const pokeRequest = get(`${url}/v1/sync/pokes`, { agent: false, headers: { authorization: `Bearer ${token}` } });
  const [answer] = (await once(pokeRequest, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`a poke connection got status ${answer.statusCode}`);
  await once(answer, 'data');
  answer.on('error', () => undefined);
  answer.resume();
  return answer;
}
