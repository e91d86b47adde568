/** Maps an IP address to the network that rate limits count as one caller. */
import ipaddr from 'ipaddr.js';

const IPV6_NETWORK_BITS = 64;

/** An IPv6 subscriber controls at least a /64, so the whole /64 counts as one caller. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // On a dual-stack port an IPv4 address appears as ::ffff:192.0.2.1.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_NETWORK_BITS}`).toString();
}
