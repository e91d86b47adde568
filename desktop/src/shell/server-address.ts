/** Which sync server this device speaks to, as its environment says. */
import { z } from 'zod';

const ServerUrl = z.url({ protocol: /^https?$/ });

/** Null: none is named. Throws a sentence for the learner when what is named is no address. */
export function readServerUrl(environment: Record<string, string | undefined>): string | null {
  const named = environment['PARLEY_SERVER_URL'];
  if (named === undefined || named === '') return null;
  const parsed = ServerUrl.safeParse(named);
  if (!parsed.success)
    throw new Error('PARLEY_SERVER_URL is no address of a server. It looks like https://parley.example.');
  return parsed.data;
}
