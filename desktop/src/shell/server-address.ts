/** Which sync server this device speaks to, as its environment says. */
import { z } from 'zod';

const ServerUrl = z.url({ protocol: /^https?$/ });

/** Null: none is named. Throws a sentence for the learner when what is named is no address. */
export const readServerUrl = (environment: Record<string, string | undefined>): string | null =>
  readServerVariable(environment, 'PARLEY_SERVER_URL');

/** The server that an app comes with, while it is built. */
export const readDefaultServerUrl = (environment: Record<string, string | undefined>): string | null =>
  readServerVariable(environment, 'PARLEY_DEFAULT_SERVER_URL');

function readServerVariable(environment: Record<string, string | undefined>, variable: string): string | null {
  const named = environment[variable];
  if (named === undefined || named === '') return null;
  const parsed = ServerUrl.safeParse(named);
  if (!parsed.success) throw new Error(`${variable} is no address of a server. It looks like https://parley.example.`);
  return parsed.data;
}
