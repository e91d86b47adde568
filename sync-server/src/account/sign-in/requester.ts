/**
 * Identifies who requests an e-mail to an address: a device or browser on which its owner has signed in before, or a
 * stranger in some network. Limits are counted per requester, so that a stranger cannot use up the owner's e-mails.
 */
import { isIPv6 } from 'node:net';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import type { SignedInDevice } from '../devices/device-registry.ts';
import { isSameHash, keyedHash, generateSecret } from '../secrets.ts';

export interface Requester {
  /** Hashed with a key, so that the database contains no network address. */
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
  /** The cookie that this browser was given when the owner signed in. */
  knownBrowserMark: string | undefined;
}

export interface RequesterIdentifier {
  identify: (asking: RequesterEvidence) => Promise<Requester>;
  /**
   * For the browser in which the owner of this address has just signed in. It can only be used to request e-mails to
   * that address.
   */
  createBrowserMark: (email: string) => string;
}

const IPV6_SITE_GROUPS = 3;

/**
 * One organisation has a whole IPv6 /48, with 65,536 subnets, so it counts as one network, like a single IPv4 address.
 */
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
    .slice(0, IPV6_SITE_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

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
      return { key: hashRequester(`network:${networkOf(address)}`), isKnown: false, deviceId };
    },

    createBrowserMark: (email) => {
      const nonce = generateSecret();
      return `${nonce}.${signMark(email, nonce)}`;
    },
  };
}
