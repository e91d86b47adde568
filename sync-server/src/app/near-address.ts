/** Whether an address names this machine or one in a private network, as far as the address or the name alone tells. */
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

/** Names that no public server has: of this machine, of a network at home or in an office. */
const NEAR_NAME = /(^|\.)(localhost|local|lan|internal|home\.arpa)$/;

export function isLoopbackIp(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

export function isNearIp(address: string): boolean {
  const version = isIP(address);
  return isLoopbackIp(address) || (version !== 0 && PRIVATE.check(address, version === 6 ? 'ipv6' : 'ipv4'));
}

/** A name without a dot is a neighbour's: a container, or a machine that the router knows. */
export const isNearName = (hostname: string): boolean => NEAR_NAME.test(hostname) || !hostname.includes('.');
