/** Whose service answers at an address: what runs on this machine or in a private network is one's own, all else is paid for. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AiPlace } from '@parley/contract';
import { isNearIp, isNearName } from './near-address.ts';

/** Addresses that a name stands for; none where it is not known. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const RESOLVE_WITHIN_MS = 3_000;

const resolveByDns: Resolve = async (hostname) => {
  const found = lookup(hostname, { all: true }).then((all) => all.map(({ address }) => address));
  const late = sleep(RESOLVE_WITHIN_MS, [], { ref: false });
  return Promise.race([found, late]).catch(() => []);
};

/** OpenAI has addresses by region, too. A name that cannot be looked up is taken for a paid service: a spending limit must not be left out. */
export async function placeOf(baseUrl: string | null, resolve: Resolve = resolveByDns): Promise<AiPlace> {
  if (baseUrl === null) return 'openai';
  const hostname = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (/(^|\.)api\.openai\.com$/.test(hostname)) return 'openai';
  if (isIP(hostname) !== 0) return isNearIp(hostname) ? 'own' : 'other';
  if (isNearName(hostname)) return 'own';
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every(isNearIp) ? 'own' : 'other';
}
