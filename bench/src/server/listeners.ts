/** Devices that only listen: what each open line costs, and how soon all hear. */
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { LoadDevice } from './seed.ts';

export interface Listeners {
  close: () => void;
}

/** Resolves when every line is open and has told where its scope stands. */
export async function openListeners(url: string, devices: readonly LoadDevice[]): Promise<Listeners> {
  const open: IncomingMessage[] = [];
  const AT_ONCE = 100;
  for (let from = 0; from < devices.length; from += AT_ONCE)
    open.push(...(await Promise.all(devices.slice(from, from + AT_ONCE).map((device) => listen(url, device)))));
  return {
    close: () => {
      for (const line of open) line.destroy();
    },
  };
}

async function listen(url: string, { token }: LoadDevice): Promise<IncomingMessage> {
  const asked = get(`${url}/v1/sync/pokes`, { agent: false, headers: { authorization: `Bearer ${token}` } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`a listener was answered ${answer.statusCode}`);
  await once(answer, 'data');
  answer.on('error', () => undefined);
  answer.resume();
  return answer;
}
