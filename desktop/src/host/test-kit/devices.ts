/** The devices that a test opens on a server, and the actions of their learner. */
import { LinkCode } from '@parley/contract';
import type { RecordingId, SessionId } from '@parley/domain';
import { expect } from 'vitest';
import type { HostOptions } from '../index.ts';
import { type OpenHost, openHost, voiceLikePcm, sendRecordedTurn, startPractice } from './open-host.ts';
import { inDatabase } from './read-database.ts';

export interface Devices {
  /** Opens a device and waits until it has synced. */
  open(options?: Partial<HostOptions>): Promise<OpenHost>;
  /** Opens another device of the same account. */
  openJoined(first: OpenHost, options?: Partial<HostOptions>): Promise<OpenHost>;
  /** Makes the fixture close a device that the test has opened itself. */
  add(device: OpenHost): void;
  close(...devices: OpenHost[]): Promise<void>;
  /** Starts the app on the device again. */
  reopen(device: OpenHost, options?: Partial<HostOptions>): Promise<OpenHost>;
  /** Closes everything that a test has left open, and deletes all data folders. Call this after each test. */
  closeAll(): Promise<void>;
}

/** `defaults` is called for each device, because tests replace their server and their clock. */
export function createDevices(defaults: () => Partial<HostOptions>): Devices {
  const opened = new Set<OpenHost>();

  async function open(options: Partial<HostOptions> = {}): Promise<OpenHost> {
    const device = await openHost({ ...defaults(), ...options });
    opened.add(device);
    await device.host.whenIdle();
    return device;
  }

  async function close(...devices: OpenHost[]): Promise<void> {
    for (const device of devices) {
      opened.delete(device);
      await device.host.close();
    }
  }

  return {
    open,
    async openJoined(first, options) {
      const device = await open(options);
      await join(device, first);
      return device;
    },
    add: (device) => void opened.add(device),
    close,
    async reopen(device, options = {}) {
      await close(device);
      return open({ dataDir: device.dataDir, ...options });
    },
    async closeAll() {
      const left = [...opened];
      opened.clear();
      await Promise.all(left.map(({ host }) => host.close()));
    },
  };
}

/** Signs the device in to the account of the first. */
export async function join(device: OpenHost, first: OpenHost): Promise<void> {
  const { code } = await first.ask.account.createLinkCode();
  await device.ask.account.join({ code: LinkCode.parse(code) });
}

/** Syncs the devices in turn until the server has answered all changes, whatever the answer. */
export async function untilNothingWaits(...devices: OpenHost[]): Promise<void> {
  for (const { ask } of devices)
    await expect
      .poll(async () => await ask.sync.run(), { timeout: 20_000, interval: 5 })
      .toMatchObject({ state: 'idle', waiting: 0 });
}

/** Syncs the devices in turn until the server has accepted all changes. */
export async function untilSynced(...devices: OpenHost[]): Promise<void> {
  for (const { ask } of devices)
    await expect
      .poll(async () => await ask.sync.run(), { timeout: 20_000, interval: 5 })
      .toMatchObject({ state: 'idle', waiting: 0, rejected: 0, unread: 0 });
}

/** A session in which the learner has typed these turns. */
export async function typeTurns({ ask }: OpenHost, ...texts: string[]): Promise<SessionId> {
  const { sessionId } = await startPractice(ask, 'text');
  for (const text of texts) await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

/** A session with one spoken turn that has been sent. */
export async function speakTurn(
  { ask }: OpenHost,
  pcm: Uint8Array<ArrayBuffer> = voiceLikePcm(2_000),
): Promise<{ sessionId: SessionId; recordingId: RecordingId }> {
  const { sessionId } = await startPractice(ask, 'audio');
  const { recordingId } = await sendRecordedTurn(ask, sessionId, pcm);
  return { sessionId, recordingId };
}

/** The learner's turns in a session. */
export const learnerTexts = async ({ ask }: OpenHost, sessionId: string): Promise<string[]> =>
  (await ask.practice.session({ sessionId })).turns.filter(({ role }) => role === 'learner').map(({ text }) => text);

/** The ids of the sessions in the history, sorted. */
export const sessionIdsOf = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 200 })).items.map(({ sessionId }) => sessionId).toSorted();

export const identityOf = ({ dataDir }: OpenHost): { userId: string; deviceId: string } =>
  inDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare<[], { userId: string; deviceId: string }>(
        'SELECT user_id AS userId, device_id AS deviceId FROM sync_state',
      )
      .get(),
  ) ?? { userId: '', deviceId: '' };

export const userIdOf = (device: OpenHost): string => identityOf(device).userId;
