/**
 * Who asks for a message to an address: a device or a browser on which its owner has signed in before, or a stranger in some network. Limits
 * are kept apart by it, so that a stranger can use up no one's messages but their own.
 */
import { isIPv6 } from 'node:net';
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import type { SignedInDevice } from './account.ts';
import { isSameHash, keyedHash, newSecret } from './tokens.ts';

export interface Requester {
  /** Sealed: the database holds no network address. */
  key: string;
  isKnown: boolean;
  /** The device that proved who it is, signed out or not. */
  deviceId: string | null;
}

export interface Asking {
  email: string;
  /** IP address. */
  address: string;
  /** By its token, one that is signed out too. */
  device: SignedInDevice | null;
  /** What `markFor` gave this browser. */
  mark: string | undefined;
}

export interface Requesters {
  of: (asking: Asking) => Promise<Requester>;
  /** For the browser in which the owner of this address has just signed in; good for nothing but asking for messages to it. */
  markFor: (email: string) => string;
}

const IPV6_NETWORK_GROUPS = 4;

/** A single IPv6 subscriber has a /64 to choose addresses from. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return groups
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

export function createRequesters({ db, secret }: { db: Database; secret: string }): Requesters {
  const sealOfMark = (email: string, nonce: string): string => keyedHash(secret, `known-browser:${email}:${nonce}`);
  const known = (what: string): string => keyedHash(secret, `requester:${what}`);

  const isOwnerOf = async ({ userId }: SignedInDevice, email: string): Promise<boolean> => {
    const [user] = await db
      .select({ email: tables.users.email })
      .from(tables.users)
      .where(eq(tables.users.userId, userId));
    return user?.email?.toLowerCase() === email;
  };

  return {
    async of({ email, address, device, mark }) {
      const deviceId = device?.deviceId ?? null;
      if (device !== null && (await isOwnerOf(device, email)))
        return { key: known(`device:${device.deviceId}`), isKnown: true, deviceId };
      const [nonce = '', seal = ''] = (mark ?? '').split('.', 2);
      if (isSameHash(seal, sealOfMark(email, nonce)))
        return { key: known(`browser:${nonce}`), isKnown: true, deviceId };
      return { key: known(`network:${networkOf(address)}`), isKnown: false, deviceId };
    },

    markFor: (email) => {
      const nonce = newSecret();
      return `${nonce}.${sealOfMark(email, nonce)}`;
    },
  };
}
