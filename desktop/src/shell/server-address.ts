/** Which sync server this device speaks to, as its environment says. */
import { isLoopbackName } from '@parley/contract';
import { z } from 'zod';

const ServerUrl = z.url({ protocol: /^https?$/ });

/** Null: none is named. Throws a sentence for the learner when what is named is no address, or one to which everything would go unencrypted. */
export function readServerUrl(environment: Record<string, string | undefined>): string | null {
  const named = environment['PARLEY_SERVER_URL'];
  if (named === undefined || named === '') return null;
  const parsed = ServerUrl.safeParse(named);
  if (!parsed.success)
    throw new Error('PARLEY_SERVER_URL is no address of a server. It looks like https://parley.example.');
  const { protocol, hostname, host } = new URL(parsed.data);
  if (protocol === 'http:' && !isLoopbackName(hostname))
    throw new Error(
      `PARLEY_SERVER_URL is a plain http address on another machine, so anyone on the network could read your work and sign in as you. Use https://${host} instead. If the server has no certificate yet, its operator must set one up.`,
    );
  return parsed.data;
}
