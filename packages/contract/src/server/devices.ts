/** A learner's devices, as the server knows them. */
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';

export const DEVICE_PLATFORMS = ['windows', 'macos', 'linux', 'other'] as const;

export const Device = z.strictObject({
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

/** One of a learner's devices, as the learner sees it. */
export const LinkedDevice = z.strictObject({
  deviceId: DeviceId,
  name: z.string(),
  platform: z.enum(DEVICE_PLATFORMS),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** Whether it is the one that asks. */
  isThis: z.boolean(),
});
export type LinkedDevice = z.infer<typeof LinkedDevice>;

/** Eight letters and digits without look-alikes, read aloud or typed from one screen to the other. */
export const LinkCode = z.string().regex(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
export type LinkCode = z.infer<typeof LinkCode>;
