/** Signing out: this device, or everything that was ever signed in to the account. */
import { and, eq, isNull, ne } from 'drizzle-orm';
import { DeviceId } from '@parley/domain';
import type { Database } from '../db/client.ts';
import { devices, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import type { SignedInDevice } from './account.ts';
import { audit } from './audit.ts';
import type { WebSessions } from './web-session.ts';

export interface SignOut {
  /** Throws `account.no_email` for the last device of an account that nobody could come back into. */
  device: (device: SignedInDevice) => Promise<void>;
  everywhere: (userId: string) => Promise<void>;
}

export interface SignOutParts {
  db: Database;
  now: () => Date;
  webSessions: WebSessions;
  /** Told when a device must not hear anything any more. */
  signedOut: (deviceId: DeviceId) => void;
}

export function createSignOut({ db, now, webSessions, signedOut }: SignOutParts): SignOut {
  const revoke = async (tx: Database, userId: string, which?: ReturnType<typeof eq>): Promise<DeviceId[]> => {
    const gone = await tx
      .update(devices)
      .set({ revokedAt: now() })
      .where(and(eq(devices.userId, userId), isNull(devices.revokedAt), which))
      .returning({ deviceId: devices.deviceId });
    const on = which === undefined ? 'everywhere' : 'device';
    await audit(tx, { at: now(), actorId: userId, subjectId: userId, act: 'signed_out', details: { on } });
    return gone.map(({ deviceId }) => DeviceId.parse(deviceId));
  };

  return {
    async device({ userId, deviceId }) {
      const gone = await db.transaction(async (tx) => {
        const [user] = await tx
          .select({ email: tables.users.email })
          .from(tables.users)
          .where(eq(tables.users.userId, userId));
        const others = and(eq(devices.userId, userId), isNull(devices.revokedAt), ne(devices.deviceId, deviceId));
        if (user?.email === null && (await tx.$count(devices, others)) === 0) throw failure('account.no_email');
        return revoke(tx, userId, eq(devices.deviceId, deviceId));
      });
      gone.forEach(signedOut);
    },

    async everywhere(userId) {
      const gone = await db.transaction((tx) => revoke(tx, userId));
      await webSessions.closeAll(userId);
      gone.forEach(signedOut);
    },
  };
}
