/** A learner's devices on the server. */
import { DeviceId, LearnerId } from '@parley/domain';
import { z } from 'zod';

export const DEVICE_PLATFORMS = ['windows', 'macos', 'linux', 'other'] as const;

export const Device = z.strictObject({
  deviceId: DeviceId,
  /** Shown to the learner in the list of devices. */
  name: z.string().min(1).max(80),
  platform: z.enum(DEVICE_PLATFORMS),
});

/** The account and the device's bearer token. The token is returned once and stored hashed. */
export const DeviceCredentials = z.strictObject({
  userId: LearnerId,
  deviceId: DeviceId,
  token: z.string().min(32).max(200),
});
export type DeviceCredentials = z.infer<typeof DeviceCredentials>;

/** The detail of `auth.forbidden` for a device that registers an account that was erased on request. */
export const ACCOUNT_ERASED = 'account_erased';

export const LinkedDevice = z.strictObject({
  deviceId: DeviceId,
  name: z.string(),
  platform: z.enum(DEVICE_PLATFORMS),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** Whether this is the device that sent the request. */
  isThis: z.boolean(),
});
export type LinkedDevice = z.infer<typeof LinkedDevice>;

/** Eight letters and digits without look-alikes, to be read aloud or typed on another device. */
export const LinkCode = z.string().regex(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
export type LinkCode = z.infer<typeof LinkCode>;

/** 32 random bytes, base64url. The device makes the key itself, so only a server to which it gave the key can order the deletion of its data. */
export const WipeKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** A device that was signed out and told to delete the account's data. */
export const DeviceWipe = z.strictObject({
  deviceId: DeviceId,
  name: z.string(),
  platform: z.enum(DEVICE_PLATFORMS),
  requestedAt: z.iso.datetime(),
  /** When the device reported that it had deleted the data; null while it has not connected since the request. */
  wipedAt: z.iso.datetime().nullable(),
});
export type DeviceWipe = z.infer<typeof DeviceWipe>;

export const DeviceWipes = z.strictObject({
  /** The signed-in devices whose app can delete the account's data on request. */
  wipeable: z.array(DeviceId),
  /** The newest request comes first. */
  wipes: z.array(DeviceWipe),
});
export type DeviceWipes = z.infer<typeof DeviceWipes>;
