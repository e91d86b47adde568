/** Decides from an address or name alone whether it belongs to this machine or a private network. */
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const PRIVATE = new BlockList();
// RFC 1918, link-local, and the shared range of carriers and Tailscale (RFC 6598).
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

/** Host names that never belong to a public server. */
const PRIVATE_HOSTNAME = /(^|\.)(localhost|local|lan|internal|home\.arpa)$/;

export function isLoopbackIp(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

export function isPrivateIp(address: string): boolean {
  const version = isIP(address);
  return isLoopbackIp(address) || (version !== 0 && PRIVATE.check(address, version === 6 ? 'ipv6' : 'ipv4'));
}

/** A name without a dot belongs to a container or a machine in the local network. */
export const isPrivateHostname = (hostname: string): boolean =>
  PRIVATE_HOSTNAME.test(hostname) || !hostname.includes('.');
