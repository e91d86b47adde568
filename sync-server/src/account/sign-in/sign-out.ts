/** Signs out one device, or every device and browser of the account. */
import { and, eq, isNull } from 'drizzle-orm';
import { DeviceId } from '@parley/domain';
import type { Database } from '../../db/client.ts';
import { devices } from '../../db/tables.ts';
import { readUser } from '../account-rows.ts';
import { forgetLinkCodes } from '../devices/link-codes.ts';
import type { SignedInDevice } from '../devices/device-registry.ts';
import { requireOtherWayIn } from '../devices/last-device.ts';
import { recordAudit } from '../audit-log.ts';
import type { SignInEmails } from './sign-in-emails.ts';
import type { WebSessions } from '../web-session/web-session.ts';

export interface SignOut {
  /** Throws `account.no_email` for the last device of an account without an address, because no device could sign in to it again. */
  signOutDevice: (device: SignedInDevice) => Promise<void>;
  /** Also cancels every code and link that could open the account again, including those in older e-mails. */
  signOutEverywhere: (userId: string) => Promise<void>;
}

export interface SignOutParts {
  db: Database;
  now: () => Date;
  signInEmails: Pick<SignInEmails, 'spendAll'>;
  webSessions: WebSessions;
  /** Called when a device must stop receiving changes. */
  onDeviceSignedOut: (deviceId: DeviceId) => void;
}

export function createSignOut({ db, now, signInEmails, webSessions, onDeviceSignedOut }: SignOutParts): SignOut {
  const revoke = async (tx: Database, userId: string, which?: ReturnType<typeof eq>): Promise<DeviceId[]> => {
    const gone = await tx
      .update(devices)
      .set({ revokedAt: now() })
      .where(and(eq(devices.userId, userId), isNull(devices.revokedAt), which))
      .returning({ deviceId: devices.deviceId });
    await forgetLinkCodes(tx, userId);
    const on = which === undefined ? 'everywhere' : 'device';
    await recordAudit(tx, { at: now(), actorId: userId, subjectId: userId, act: 'signed_out', details: { on } });
    return gone.map(({ deviceId }) => DeviceId.parse(deviceId));
  };

  return {
    async signOutDevice({ userId, deviceId }) {
      const gone = await db.transaction(async (tx) => {
        await requireOtherWayIn(tx, { userId, deviceId });
        return revoke(tx, userId, eq(devices.deviceId, deviceId));
      });
      gone.forEach(onDeviceSignedOut);
    },

    async signOutEverywhere(userId) {
      const gone = await db.transaction(async (tx) => {
        const email = (await readUser(tx, userId))?.email ?? null;
        // A link that is being opened at this moment is either spent here or opens a session that is closed below.
        if (email !== null) await signInEmails.spendAll(tx, email.toLowerCase());
        return revoke(tx, userId);
      });
      await webSessions.closeAll(userId);
      gone.forEach(onDeviceSignedOut);
    },
  };
}
