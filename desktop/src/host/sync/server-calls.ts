/** Calls the server as this device, which is registered before its first request. */
import { ok } from '@parley/domain';
import { failed, type HostResult } from '../result/index.ts';
import { type ServerClient, type ServerConnection, toFailure } from '../server/index.ts';
import { isRegistered } from './account/adopt-account.ts';
import { ensureRegistered, type RegistrationParts } from './account/register-device.ts';

export interface ServerCallsParts extends RegistrationParts {
  server: ServerConnection | null;
  runExclusively: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

export interface ServerCalls {
  call<Value>(call: (client: ServerClient) => Promise<Value>): Promise<HostResult<Value>>;
  /** Runs alongside a first sync, which may take minutes; only an unregistered device waits for the current round. */
  callBesideRound: ServerCalls['call'];
}

export function createServerCalls({ server, runExclusively, ...registration }: ServerCallsParts): ServerCalls {
  const call: ServerCalls['call'] = async (make) => {
    if (server === null) return failed('sync.offline');
    try {
      await ensureRegistered(server.client, registration);
      return ok(await make(server.client));
    } catch (error) {
      return { ok: false, error: toFailure(error) };
    }
  };

  return {
    call,
    callBesideRound: (make) => (isRegistered(registration.store) ? call(make) : runExclusively(() => call(make))),
  };
}
