/** Classifies a service by its address: one on this machine or in a private network is self-hosted, and others are paid. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceLocation } from '@parley/contract';
import { isPrivateIp, isPrivateHostname } from '../http/addresses/private-address.ts';

/** Resolves a host name to addresses; the list is empty when the name is unknown. */
export type ResolveHostname = (hostname: string) => Promise<readonly string[]>;

const RESOLVE_TIMEOUT_MS = 3_000;

const resolveByDns: ResolveHostname = async (hostname) => {
  const found = lookup(hostname, { all: true }).then((all) => all.map(({ address }) => address));
  const late = sleep(RESOLVE_TIMEOUT_MS, [], { ref: false });
  return Promise.race([found, late]).catch(() => []);
};

/** OpenAI has regional addresses too. An unresolvable name counts as a paid service, so that the spending limit always applies. */
export async function locateProvider(
  baseUrl: string | null,
  resolve: ResolveHostname = resolveByDns,
): Promise<ServiceLocation> {
  if (baseUrl === null) return 'openai';
  const hostname = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (/(^|\.)api\.openai\.com$/.test(hostname)) return 'openai';
  if (isIP(hostname) !== 0) return isPrivateIp(hostname) ? 'own' : 'other';
  if (isPrivateHostname(hostname)) return 'own';
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every(isPrivateIp) ? 'own' : 'other';
}
