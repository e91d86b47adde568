/** The server API for devices, served with an OpenAPI document. The endpoints in endpoints.ts are not procedures. */
import { eventIterator } from '@orpc/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { PushRequestV2, PushResponseV2 } from '../sync/messages-v2.ts';
import { AnyProtocolRequest, PushRequest, PushResponse } from '../sync/messages.ts';
import { PokeWithRows } from '../sync/poke-rows.ts';
import { publicBase, serverBase as base } from './base.ts';
import { serverInfoContract } from './server-info.ts';
import { accountServerContract } from './account.ts';
import { adminServerContract } from './admin.ts';
import { billingServerContract } from './billing.ts';
import { coachServerContract } from './coach.ts';
import { crashServerContract } from './crashes.ts';
import { contentServerContract } from './content.ts';
import { mediaServerContract } from './media.ts';
import { practiceReportsServerContract } from './practice-reports.ts';
import { recordingsServerContract } from './recordings.ts';
import { POKES_PATH, PUSH_PATH } from './endpoints.ts';
import { Device, DeviceCredentials, DeviceWipes, LinkCode, LinkedDevice, WipeKey } from './devices.ts';
import { webSessionContract } from './web-session.ts';

const devicesContract = {
  register: publicBase
    .route({ method: 'POST', path: '/v1/devices/register', summary: 'Open an anonymous account for a new device' })
    .input(Device.extend({ userId: LearnerId }))
    .output(DeviceCredentials),
  createLinkCode: base
    .route({
      method: 'POST',
      path: '/v1/devices/link-code',
      summary: 'A code with which another device joins this account',
    })
    .input(z.strictObject({}))
    .output(z.strictObject({ code: LinkCode, expiresAt: z.iso.datetime() })),
  join: publicBase
    .route({ method: 'POST', path: '/v1/devices/join', summary: 'Join the account that a code was made for' })
    .input(Device.extend({ code: LinkCode }))
    .output(DeviceCredentials),
  list: base
    .route({ method: 'GET', path: '/v1/devices', summary: "This account's devices, the one seen last first" })
    .input(z.strictObject({}).optional())
    .output(z.array(LinkedDevice)),
  revoke: base
    .route({ method: 'POST', path: '/v1/devices/revoke', summary: 'Sign a device of this account out for good' })
    .input(z.strictObject({ deviceId: DeviceId }))
    .output(z.array(LinkedDevice)),
  /** Older apps never call this, so their data cannot be deleted remotely. */
  allowWipe: base
    .route({
      method: 'POST',
      path: '/v1/devices/allow-wipe',
      summary: 'Allow the data of this account on this device to be deleted remotely',
    })
    .input(z.strictObject({ key: WipeKey }))
    .output(z.strictObject({})),
  wipes: base
    .route({
      method: 'GET',
      path: '/v1/devices/wipes',
      summary: 'List the devices that can be told to delete their data, and those that were',
    })
    .input(z.strictObject({}).optional())
    .output(DeviceWipes),
  /**
   * Signs another device out for good. Its next request is answered with `auth.device_revoked` and the key, and the device then deletes the
   * account's data. Fails with `auth.confirmation_required` unless a code was entered in the last ten minutes.
   */
  wipe: base
    .route({
      method: 'POST',
      path: '/v1/devices/wipe',
      summary: "Sign a device of this account out, and have it delete the account's data",
    })
    .input(z.strictObject({ deviceId: DeviceId }))
    .output(DeviceWipes),
  /** The device has no token any more, so the key shows which device reports. */
  reportWiped: publicBase
    .route({
      method: 'POST',
      path: '/v1/devices/report-wiped',
      summary: 'Report that the data was deleted as requested',
    })
    .input(z.strictObject({ deviceId: DeviceId, key: WipeKey }))
    .output(z.strictObject({})),
};

const syncContract = {
  push: base
    .route({ method: 'POST', path: PUSH_PATH, summary: "Send a device's changes, in order" })
    // Any protocol version is accepted here, so that an app that is too old or too new receives a clear error.
    .input(z.union([PushRequest, PushRequestV2, AnyProtocolRequest]))
    .output(z.union([PushResponse, PushResponseV2])),
  pokes: base
    .route({ method: 'GET', path: POKES_PATH, summary: 'Where the scopes stand: now, and at each change' })
    .input(z.strictObject({}).optional())
    .output(eventIterator(PokeWithRows)),
};

/** Declared explicitly, because the inferred type would repeat the schema of every call. */
type ServerContract = {
  server: typeof serverInfoContract;
  devices: typeof devicesContract;
  sync: typeof syncContract;
  coach: typeof coachServerContract;
  crashes: typeof crashServerContract;
  account: typeof accountServerContract;
  web: typeof webSessionContract;
  admin: typeof adminServerContract;
  content: typeof contentServerContract;
  media: typeof mediaServerContract;
  practiceReports: typeof practiceReportsServerContract;
  recordings: typeof recordingsServerContract;
  billing: typeof billingServerContract;
};

export const serverContract: ServerContract = {
  server: serverInfoContract,
  devices: devicesContract,
  sync: syncContract,
  coach: coachServerContract,
  crashes: crashServerContract,
  account: accountServerContract,
  web: webSessionContract,
  admin: adminServerContract,
  content: contentServerContract,
  media: mediaServerContract,
  practiceReports: practiceReportsServerContract,
  recordings: recordingsServerContract,
  billing: billingServerContract,
};
