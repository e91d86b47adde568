/** Whether an address names this machine or one in a private network, as far as the address alone tells. */
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const PRIVATE = new BlockList();
// RFC 1918, link-local, and what carriers and Tailscale give out (RFC 6598).
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(network, bits);
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Names that no public server has. */
const NEAR_NAME = /(^|\.)(localhost|local|lan|internal|home\.arpa)$/;

export function isLoopbackIp(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** A name without a dot is a neighbour's: a container, or a machine that the router knows. */
export function isNearAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version === 0) return NEAR_NAME.test(host) || !host.includes('.');
  return isLoopbackIp(host) || PRIVATE.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
