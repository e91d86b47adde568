/** Which server this device speaks to, and speaking to another one from now on, without losing anything. */
import type { ServerChoice } from '@parley/contract';
import { ok } from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';
import type { Store } from '../store/index.ts';
import { forgetCredentials, leaveServer, type ReconnectingSync, type TokenVault } from '../sync/index.ts';
import { askServer } from './ask-server.ts';
import { type GivenServers, readServerChoice, writeServerChoice } from './chosen-server.ts';
import { readServerAddress } from './server-address.ts';

export interface Servers {
  read(): ServerChoice;
  check(typed: string): Promise<Answer<{ url: string; version: string | null }>>;
  change(typed: string | null): Promise<Answer<ServerChoice>>;
}

export interface ServersParts {
  store: Store;
  vault: TokenVault;
  sync: ReconnectingSync;
  given: GivenServers;
  /** Everything else that speaks to the server does so with this one from now on. */
  onChanged: (url: string | null) => void;
}

export function createServers({ store, vault, sync, given, onChanged }: ServersParts): Servers {
  const read = (): ServerChoice => readServerChoice(store.dataDir, given);

  async function check(typed: string): Promise<Answer<{ url: string; version: string | null }>> {
    const address = readServerAddress(typed);
    if (!address.ok) return address;
    const about = await askServer(address.value);
    return about.ok ? ok({ url: address.value, version: about.value.version }) : about;
  }

  let changing: Promise<unknown> = Promise.resolve();
  /** One after the other. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = changing.then(work);
    changing = result.catch(() => undefined);
    return result;
  }

  return {
    read,
    check,
    change: (typed) =>
      inTurn(async () => {
        if (given.fixed !== null) return failed('server.fixed');
        const checked = typed === null ? null : await check(typed);
        if (checked !== null && !checked.ok) return checked;
        const url = checked === null ? null : checked.value.url;
        if (url === read().url) {
          writeServerChoice(store.dataDir, url);
          return ok(read());
        }
        await sync.reconnect(url, async () => {
          // In this order a kill in between loses nothing: without its secret this device is signed out, and its work stays.
          await forgetCredentials(vault);
          await leaveServer(store);
          writeServerChoice(store.dataDir, url);
          onChanged(url);
        });
        return ok(read());
      }),
  };
}
