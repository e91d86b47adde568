/** Which sync server this device speaks to, as its environment says. */
import { checkServerAddress } from '@parley/contract';

/** Null: none is named. Throws a sentence for the learner when what is named is no address, or one to which everything would go unencrypted. */
export const readServerUrl = (environment: Record<string, string | undefined>): string | null =>
  readServerVariable(environment, 'PARLEY_SERVER_URL');

/** The server that an app comes with, while it is built. */
export const readDefaultServerUrl = (environment: Record<string, string | undefined>): string | null =>
  readServerVariable(environment, 'PARLEY_DEFAULT_SERVER_URL');

function readServerVariable(environment: Record<string, string | undefined>, variable: string): string | null {
  const named = environment[variable];
  if (named === undefined || named === '') return null;
  const url = URL.parse(named);
  const trouble = checkServerAddress(url);
  if (trouble === 'not_secure')
    throw new Error(
      `${variable} is a plain http address on another machine, so anyone on the network could read your work and sign in as you. Use https://${url?.host} instead. If the server has no certificate yet, its operator must set one up.`,
    );
  if (trouble !== null) throw new Error(`${variable} is no address of a server. It looks like https://parley.example.`);
  return named.trim();
}
