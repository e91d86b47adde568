/** What a device asks of the server: register, link another device, push, pull. Served with an OpenAPI document. */
import { oc } from '@orpc/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';
import { contractErrors } from '../errors.ts';
import { PullRequest, PullResponse, PushRequest, PushResponse } from '../sync/messages.ts';

const base = oc.errors(contractErrors);

export const DEVICE_PLATFORMS = ['windows', 'macos', 'linux', 'other'] as const;

const Device = z.strictObject({
  deviceId: DeviceId,
  /** As the learner will see it in the list of devices. */
  name: z.string().min(1).max(80),
  platform: z.enum(DEVICE_PLATFORMS),
});

/** Names the account and carries the device's bearer token, which is shown once and stored hashed. */
export const DeviceCredentials = z.strictObject({
  userId: LearnerId,
  deviceId: DeviceId,
  token: z.string().min(32).max(200),
});
export type DeviceCredentials = z.infer<typeof DeviceCredentials>;

/** Eight letters and digits without look-alikes, read aloud or typed from one screen to the other. */
export const LinkCode = z.string().regex(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
export type LinkCode = z.infer<typeof LinkCode>;

export const serverContract = {
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
  },
  sync: {
    push: base
      .route({ method: 'POST', path: '/v1/sync/push', summary: "Send a device's changes, in order" })
      .input(PushRequest)
      .output(PushResponse),
    pull: base
      .route({ method: 'POST', path: '/v1/sync/pull', summary: 'Fetch rows changed since the cursors' })
      .input(PullRequest)
      .output(PullResponse),
  },
};
