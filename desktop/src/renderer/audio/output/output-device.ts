/**
 * The output device for everything that Parley plays. Current playback follows the learner's choice, moves to the
 * system's default while the chosen device is unplugged, and returns when it is plugged in again.
 */

/** An audio element or an audio context. Its `setSinkId` is missing where the browser offers no choice. */
export interface Output {
  setSinkId?: (deviceId: string) => Promise<void>;
}

export interface OutputDevice {
  /** Null for the system's default. */
  choose: (deviceId: string | null) => void;
  /** The chosen device while it is connected, otherwise null for the system's default. */
  current: () => string | null;
  /** Whether the learner has chosen a device that is not connected. */
  isMissing: () => boolean;
  /** Plays this output on the current device until it is released. Resolves when it first does so. */
  attach: (output: Output) => { ready: Promise<void>; release: () => void };
  /** Calls back when `current` or `isMissing` may have changed. Returns a function that unsubscribes. */
  subscribe: (onChange: () => void) => () => void;
}

/** How the Web Audio and media element APIs name the system's default. */
const SYSTEM_DEFAULT = '';

export type DeviceList = Pick<MediaDevices, 'enumerateDevices' | 'addEventListener'>;

export function createOutputDevice(devices: DeviceList): OutputDevice {
  const outputs = new Set<Output>();
  const listeners = new Set<() => void>();
  let chosen: string | null = null;
  let isConnected = false;
  let lastCheck = 0;

  const current = (): string | null => (isConnected ? chosen : null);

  const move = async (output: Output): Promise<void> => {
    try {
      await output.setSinkId?.(current() ?? SYSTEM_DEFAULT);
    } catch {
      // A device that cannot be opened is skipped: hearing the coach on the default device is better than not at all.
      await output.setSinkId?.(SYSTEM_DEFAULT).catch(() => undefined);
    }
  };

  async function check(): Promise<void> {
    lastCheck += 1;
    const checkNumber = lastCheck;
    const found = chosen === null ? [] : await devices.enumerateDevices().catch(() => []);
    if (checkNumber !== lastCheck) return;
    const before = current();
    isConnected = found.some(({ kind, deviceId }) => kind === 'audiooutput' && deviceId === chosen);
    if (current() !== before) for (const output of outputs) void move(output);
    for (const notify of listeners) notify();
  }

  devices.addEventListener('devicechange', () => void check());
  return {
    choose: (deviceId) => {
      if (deviceId === chosen) return;
      chosen = deviceId;
      void check();
    },
    current,
    isMissing: () => chosen !== null && !isConnected,
    attach: (output) => {
      outputs.add(output);
      const ready = current() === null ? Promise.resolve() : move(output);
      return { ready, release: () => void outputs.delete(output) };
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}

/** Whether this browser can play on a device other than the system's default. */
export const canChooseOutput = (): boolean =>
  'setSinkId' in HTMLMediaElement.prototype && 'setSinkId' in AudioContext.prototype;

let shared: OutputDevice | null = null;
/** The output device of this window. */
export const outputDevice = (): OutputDevice => (shared ??= createOutputDevice(navigator.mediaDevices));
