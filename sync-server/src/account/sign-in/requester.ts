/**
 * Identifies who asks for a message to an address: a device or browser on which its owner has signed in before, or a stranger in some
 * network. Limits are kept per requester, so that a stranger cannot use up the owner's messages.
 */
import ipaddr from 'ipaddr.js';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import type { SignedInDevice } from '../devices/device-registry.ts';
import { isSameHash, keyedHash, generateSecret } from '../secrets.ts';

export interface Requester {
  /** Hashed with a key, so that the database holds no network address. For a network, see `rangesOf`. */
  key: string;
  isKnown: boolean;
  /** The device that sent a valid token, even if it is signed out. */
  deviceId: string | null;
}

export interface RequesterEvidence {
  email: string;
  /** The caller's IP address. */
  address: string;
  /** The device by its token, even if it is signed out. */
  device: SignedInDevice | null;
  /** The cookie that this browser got when the owner signed in. */
  knownBrowserMark: string | undefined;
}

export interface RequesterIdentifier {
  identify: (asking: RequesterEvidence) => Promise<Requester>;
  /** For the browser in which the owner of this address has just signed in. It can only be used to ask for messages to that address. */
  createBrowserMark: (email: string) => string;
}

/** Of an IPv6 address, from the widest to the narrowest. A subscriber has at least a /64 and often a /56, and an organisation a /48. */
const IPV6_RANGE_BITS = [48, 56, 64];

/** The networks that an address belongs to, the widest first. An IPv4 address is one by itself. */
export function networksOf(address: string): string[] {
  if (!ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  return IPV6_RANGE_BITS.map((bits) => {
    const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits}`);
    return `${network.toString()}/${bits}`;
  });
}

/** How many times the messages of one network a wider one may request. */
const ALLOWANCES_FROM_WIDEST = [8, 2, 1];

export interface RequesterRange {
  /** The keys of all requesters in it begin with this. */
  prefix: string;
  allowance: number;
}

/** The networks that a stranger's key stands for, the widest first. */
export function rangesOf(key: string): [widest: RequesterRange, ...RequesterRange[]] {
  const hashes = key.split(SEPARATOR);
  if (hashes.length < ALLOWANCES_FROM_WIDEST.length) return [{ prefix: key, allowance: 1 }];
  const [widest = 1, ...others] = ALLOWANCES_FROM_WIDEST;
  return [
    { prefix: hashes.slice(0, 1).join(SEPARATOR), allowance: widest },
    ...others.map((allowance, index) => ({ prefix: hashes.slice(0, index + 2).join(SEPARATOR), allowance })),
  ];
}

/** Between the hashes of a key. They have one length, so the key of one network is never the beginning of another's. */
const SEPARATOR = '.';

export function createRequesterIdentifier({ db, secret }: { db: Database; secret: string }): RequesterIdentifier {
  const signMark = (email: string, nonce: string): string => keyedHash(secret, `known-browser:${email}:${nonce}`);
  const hashRequester = (what: string): string => keyedHash(secret, `requester:${what}`);

  const isOwnerOf = async ({ userId }: SignedInDevice, email: string): Promise<boolean> => {
    const [user] = await db
      .select({ email: tables.users.email })
      .from(tables.users)
      .where(eq(tables.users.userId, userId));
    return user?.email?.toLowerCase() === email;
  };

  return {
    async identify({ email, address, device, knownBrowserMark }) {
      const deviceId = device?.deviceId ?? null;
      if (device !== null && (await isOwnerOf(device, email)))
        return { key: hashRequester(`device:${device.deviceId}`), isKnown: true, deviceId };
      const [nonce = '', seal = ''] = (knownBrowserMark ?? '').split('.', 2);
      if (isSameHash(seal, signMark(email, nonce)))
        return { key: hashRequester(`browser:${nonce}`), isKnown: true, deviceId };
      const key = networksOf(address).map((network) => hashRequester(`network:${network}`));
      return { key: key.join(SEPARATOR), isKnown: false, deviceId };
    },

    createBrowserMark: (email) => {
      const nonce = generateSecret();
      return `${nonce}.${signMark(email, nonce)}`;
    },
  };
}
