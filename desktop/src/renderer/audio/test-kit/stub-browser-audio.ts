/** Stubs the parts of the browser's audio that opening a microphone or a player needs. `vi.unstubAllGlobals` removes them. */
import { vi } from 'vitest';

/** An audio context that runs until a test changes it. */
export class FakeAudioContext extends EventTarget {
  static last: FakeAudioContext;
  sampleRate = 16_000;
  state = 'running';
  audioWorklet = { addModule: () => Promise.resolve() };
  resume = vi.fn((): Promise<void> => {
    this.state = 'running';
    return Promise.resolve();
  });
  close = vi.fn(() => Promise.resolve());

  constructor() {
    super();
    FakeAudioContext.last = this;
  }

  createMediaStreamSource = () => ({ connect: () => undefined, disconnect: () => undefined });

  /** The browser stops the audio, as when the loudspeaker in use is switched off. */
  fail(state: 'suspended' | 'closed'): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

export function stubBrowserAudio(stopTrack: () => void = () => undefined): void {
  const track = {
    readyState: 'live',
    label: '',
    stop: stopTrack,
    addEventListener: () => undefined,
    getSettings: () => ({}),
  };
  const stream = { getTracks: () => [track], getAudioTracks: () => [track] };
  const mediaDevices = Object.assign(new EventTarget(), { getUserMedia: () => Promise.resolve(stream) });
  vi.stubGlobal('navigator', { mediaDevices });
  vi.stubGlobal('AudioContext', FakeAudioContext);
  vi.stubGlobal(
    'AudioWorkletNode',
    class {
      port = {
        onmessage: null as ((event: { data: null }) => void) | null,
        postMessage: () => this.port.onmessage?.({ data: null }),
      };
      connect = () => undefined;
    },
  );
}
