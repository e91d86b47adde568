/** Whose service answers at an address: what runs on this machine or in a private network is one's own, all else is paid for. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AiPlace } from '@parley/contract';

/** Addresses that a name stands for; none where it is not known. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const RESOLVE_WITHIN_MS = 3_000;

const OWN_NETWORKS = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  // Shared address space, in which private overlay networks lie (RFC 6598).
  ['100.64.0.0', 10],
] as const)
  OWN_NETWORKS.addSubnet(network, bits, 'ipv4');
OWN_NETWORKS.addAddress('::1', 'ipv6');
OWN_NETWORKS.addSubnet('fc00::', 7, 'ipv6');
OWN_NETWORKS.addSubnet('fe80::', 10, 'ipv6');

/** Names that no public server has: of this machine, of a container beside it, of a network at home or in an office. */
const OWN_NAME = /^[^.]+$|(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

const isOwnAddress = (address: string): boolean => OWN_NETWORKS.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

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
  if (isIP(hostname) !== 0) return isOwnAddress(hostname) ? 'own' : 'other';
  if (OWN_NAME.test(hostname)) return 'own';
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every(isOwnAddress) ? 'own' : 'other';
}
