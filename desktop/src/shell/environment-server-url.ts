/** Reads the sync server's address from the environment. */
import { checkServerAddress } from '@parley/contract';

/**
 * Returns null when none is set. Throws a sentence for the learner when the address is invalid or would not be
 * encrypted.
 */
export const readServerUrl = (environment: Record<string, string | undefined>): string | null =>
  readServerVariable(environment, 'PARLEY_SERVER_URL');

/** Reads the address that a build of the app ships with. */
export const readDefaultServerUrl = (environment: Record<string, string | undefined>): string | null =>
  readServerVariable(environment, 'PARLEY_DEFAULT_SERVER_URL');

function readServerVariable(environment: Record<string, string | undefined>, variable: string): string | null {
  const value = environment[variable];
  if (value === undefined || value === '') return null;
  const url = URL.parse(value);
  const problem = checkServerAddress(url);
  if (problem === 'not_secure')
    throw new Error(
      `${variable} is a plain http address on another machine, so anyone on the network could read your work and sign in as you. Use https://${url?.host} instead. If the server has no certificate yet, its operator must set one up.`,
    );
  if (problem !== null)
    throw new Error(`${variable} is not a server address. A server address looks like https://parley.example.`);
  return value.trim();
}
