/**
 * What a device asks of the server: register, link another device, see its devices, push. Served with an OpenAPI document. The
 * stream of rows, `POST /v1/sync/stream`, is NDJSON and stands beside it.
 */
import { eventIterator } from '@orpc/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { PushRequestV2, PushResponseV2 } from '../sync/messages-v2.ts';
import { AnyProtocol, Poke, PushRequest, PushResponse } from '../sync/messages.ts';
import { serverBase as base } from './base.ts';
import { aboutServerContract } from './about.ts';
import { accountServerContract } from './account.ts';
import { adminServerContract } from './admin.ts';
import { billingServerContract } from './billing.ts';
import { coachServerContract } from './coach.ts';
import { Device, DeviceCredentials, LinkCode, LinkedDevice } from './devices.ts';

export const serverContract = {
  server: aboutServerContract,
  devices: {
    register: base
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
    join: base
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
  },
  sync: {
    push: base
      .route({ method: 'POST', path: '/v1/sync/push', summary: "Send a device's changes, in order" })
      // Any protocol gets an answer: an app that is too old, or newer than its server, is told so.
      .input(z.union([PushRequest, PushRequestV2, AnyProtocol]))
      .output(z.union([PushResponse, PushResponseV2])),
    pokes: base
      .route({ method: 'GET', path: '/v1/sync/pokes', summary: 'Where the scopes stand: now, and at each change' })
      .input(z.strictObject({}).optional())
      .output(eventIterator(Poke)),
  },
  coach: coachServerContract,
  account: accountServerContract,
  admin: adminServerContract,
  billing: billingServerContract,
};
