/** What one caller is counted by, from the address that it calls from. */
import ipaddr from 'ipaddr.js';

const SUBSCRIBER_BITS = 64;

/** An IPv6 subscriber has a /64 at least, and every address in it is theirs to choose: all of it counts as one caller. */
export function callerOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // An IPv4 caller of a port that takes both comes as ::ffff:192.0.2.1.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`).toString();
}
