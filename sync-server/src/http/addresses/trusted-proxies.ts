/** Parses which proxies may state the client's address: none, a number of hops, or addresses and networks. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export type TrustProxy = false | number | string[];

const MAX_HOPS = 9;
/** Load balancers of a large provider have some million public addresses; two /8 networks have 33 million. */
const MAX_PUBLIC_SHARE = { ipv4: 2 / 256, ipv6: 2 / 2 ** 16 };

export function parseTrustProxy(said: string, context: z.RefinementCtx): TrustProxy {
  if (said === 'false' || said === '0') return false;
  const hops = /^\d+$/.test(said) ? Number(said) : null;
  if (hops !== null && hops <= MAX_HOPS) return hops;
  const written = said.split(',').map((each) => each.trim());
  const networks = written.flatMap((each) => parseNetwork(each) ?? []);
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (networks.length < written.length)
    return refuse(
      'name the trusted proxies: TRUST_PROXY=1 behind one balancer (2 behind two), or its addresses and networks, such as TRUST_PROXY=10.0.0.0/8',
    );
  if (isTooBroad(networks))
    return refuse(
      'these networks cover so much of the internet that callers could choose their own address and would not be limited: name only the balancer, as in TRUST_PROXY=1 or TRUST_PROXY=10.0.0.0/8',
    );
  return written;
}

interface Network {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  bits: number;
}

const MAPPED = ipaddr.parse('::ffff:0:0');
const MAPPED_BITS = 96;

function parseNetwork(said: string): Network | null {
  const [address = '', bits, ...rest] = said.split('/');
  // A short form such as 10.1 is ambiguous and therefore rejected.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isAddress || rest.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { address: parsed, bits: most };
  if (!/^[1-9]\d*$/.test(bits) || Number(bits) > most) return null;
  // An IPv4 caller's address is also compared in its ::ffff:0:0/96 form.
  if (parsed.kind() === 'ipv6' && parsed.match(MAPPED, MAPPED_BITS) && Number(bits) >= MAPPED_BITS)
    return { address: ipaddr.process(address), bits: Number(bits) - MAPPED_BITS };
  return { address: parsed, bits: Number(bits) };
}

function isTooBroad(networks: readonly Network[]): boolean {
  const share = { ipv4: 0, ipv6: 0 };
  for (const { address, bits } of networks) {
    if (address.kind() === 'ipv6' && bits < MAPPED_BITS && MAPPED.match(address, bits)) return true;
    if (!isPrivate({ address, bits })) share[address.kind()] += 2 ** -bits;
  }
  return share.ipv4 > MAX_PUBLIC_SHARE.ipv4 || share.ipv6 > MAX_PUBLIC_SHARE.ipv6;
}

const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
].map((network) => ipaddr.parseCIDR(network));

const isPrivate = ({ address, bits }: Network): boolean =>
  PRIVATE.some(([of, ofBits]) => of.kind() === address.kind() && bits >= ofBits && address.match(of, ofBits));
