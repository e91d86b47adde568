/** Maps an IP address to the networks that limits count as one caller. */
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BITS = 64;
const IPV6_SITE_BITS = 48;
/** A home often has a /56, and an organisation a /48. */
const WIDER_IPV6_NETWORKS = [
  { bits: 56, allowance: 2 },
  { bits: IPV6_SITE_BITS, allowance: 8 },
];

/** An IPv6 subscriber controls at least a /64, so the whole /64 counts as one caller. */
export const clientNetwork = (address: string): string => networkOf(address, IPV6_NETWORK_BITS);

/**
 * An organisation, and a customer of many hosting providers, has an IPv6 /48 with 65,536 networks. Shared limits count
 * the whole /48 as one caller, like a single IPv4 address.
 */
export const clientSite = (address: string): string => networkOf(address, IPV6_SITE_BITS);

export interface WiderNetwork {
  network: string;
  /** How many times a single caller's limit the network may send. */
  allowance: number;
}

/**
 * The wider IPv6 networks around a caller's own, from which one machine can send as many different callers. None for
 * IPv4.
 */
export function widerNetworks(address: string): WiderNetwork[] {
  if (!ipaddr.isValid(address) || ipaddr.process(address).kind() === 'ipv4') return [];
  return WIDER_IPV6_NETWORKS.map(({ bits, allowance }) => ({
    network: `${networkOf(address, bits)}/${bits}`,
    allowance,
  }));
}

function networkOf(address: string, ipv6Bits: number): string {
  if (!ipaddr.isValid(address)) return address;
  // On a dual-stack port an IPv4 address appears as ::ffff:192.0.2.1.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6Bits}`).toString();
}
