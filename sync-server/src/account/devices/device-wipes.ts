/**
 * Deletes the account's data on a device that was lost or given away: the owner requests it on another device, the
 * response to the lost device's next request orders it, and that device reports when it is done.
 */
import type { DeviceWipes } from '@parley/contract';
import { DeviceId } from '@parley/domain';
import { and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { devices } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import { readUser } from '../account-rows.ts';
import { recordAudit } from '../audit-log.ts';
import { hashSecret, isSameHash } from '../secrets.ts';
import type { SignedInDevice } from './device-registry.ts';
import { forgetLinkCodes } from './link-codes.ts';

/** How long a completed deletion is listed. */
const LISTED_FOR_MS = 90 * 24 * 3_600_000;

export interface WipeOrders {
  /** Stores the key without which this device obeys no order. */
  allow: (device: SignedInDevice, key: string) => Promise<void>;
  list: (device: Pick<SignedInDevice, 'userId'>) => Promise<DeviceWipes>;
  /**
   * Signs another device out and orders it to delete the account's data. The caller must have confirmed their address.
   * Throws `account.no_email`, because without an address nothing distinguishes the owner from a thief, and
   * `device.not_found` when the device is signed out, is the caller, or has an app that cannot delete.
   */
  request: (device: SignedInDevice, deviceId: DeviceId) => Promise<DeviceWipes>;
  /** Throws `device.not_found` when the key is wrong or nothing was requested. A repeated report changes nothing. */
  reportDone: (report: { deviceId: DeviceId; key: string }) => Promise<void>;
}

export interface WipeOrderParts {
  db: Database;
  now: () => Date;
  /** Called when a device must stop receiving changes. */
  onDeviceSignedOut: (deviceId: DeviceId) => void;
}

export async function listWipes(db: Database, { userId, now }: { userId: string; now: Date }) {
  const rows = await db
    .select()
    .from(devices)
    .where(
      and(
        eq(devices.userId, userId),
        isNotNull(devices.wipeRequestedAt),
        or(isNull(devices.wipedAt), gt(devices.wipedAt, new Date(now.getTime() - LISTED_FOR_MS))),
      ),
    )
    .orderBy(desc(devices.wipeRequestedAt));
  return rows.flatMap(({ deviceId, name, platform, wipeRequestedAt, wipedAt }) =>
    wipeRequestedAt === null
      ? []
      : [
          {
            deviceId: DeviceId.parse(deviceId),
            name,
            platform,
            requestedAt: wipeRequestedAt.toISOString(),
            wipedAt: wipedAt?.toISOString() ?? null,
          },
        ],
  );
}

export function createWipeOrders({ db, now, onDeviceSignedOut }: WipeOrderParts): WipeOrders {
  const list: WipeOrders['list'] = async ({ userId }) => {
    const able = await db
      .select({ deviceId: devices.deviceId })
      .from(devices)
      .where(and(eq(devices.userId, userId), isNull(devices.revokedAt), isNotNull(devices.wipeKey)));
    return {
      wipeable: able.map(({ deviceId }) => DeviceId.parse(deviceId)),
      wipes: await listWipes(db, { userId, now: now() }),
    };
  };

  return {
    list,

    async allow({ deviceId, userId }, key) {
      await db
        .update(devices)
        .set({ wipeKey: key })
        .where(and(eq(devices.deviceId, deviceId), eq(devices.userId, userId), isNull(devices.revokedAt)));
    },

    async request({ userId, deviceId: callerId }, deviceId) {
      await db.transaction(async (tx) => {
        const owner = await readUser(tx, userId);
        if (owner === null || owner.email === null) throw new DomainError('account.no_email');
        if (deviceId === callerId) throw new DomainError('device.not_found');
        const at = now();
        const [ordered] = await tx
          .update(devices)
          .set({ revokedAt: at, wipeRequestedAt: at })
          .where(
            and(
              eq(devices.deviceId, deviceId),
              eq(devices.userId, userId),
              isNull(devices.revokedAt),
              isNotNull(devices.wipeKey),
            ),
          )
          .returning({ deviceId: devices.deviceId });
        if (ordered === undefined) throw new DomainError('device.not_found');
        await forgetLinkCodes(tx, userId);
        const details = { deviceId };
        await recordAudit(tx, { at, actorId: userId, subjectId: userId, act: 'device_wipe_requested', details });
      });
      onDeviceSignedOut(deviceId);
      return list({ userId });
    },

    async reportDone({ deviceId, key }) {
      await db.transaction(async (tx) => {
        const [device] = await tx.select().from(devices).where(eq(devices.deviceId, deviceId)).for('update');
        const isRight = isSameHash(hashSecret(key), hashSecret(device?.wipeKey ?? ''));
        if (device === undefined || device.wipeRequestedAt === null || !isRight)
          throw new DomainError('device.not_found');
        if (device.wipedAt !== null) return;
        const at = now();
        await tx.update(devices).set({ wipedAt: at }).where(eq(devices.deviceId, deviceId));
        const { userId } = device;
        const details = { deviceId };
        await recordAudit(tx, { at, actorId: userId, subjectId: userId, act: 'device_wiped', details });
      });
    },
  };
}
