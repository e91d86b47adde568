import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RecorderOptions, startRecording } from './start-recording.ts';

const stopTrack = vi.fn();

/** The parts of the browser's audio that opening a microphone needs. */
function stubBrowserAudio(): void {
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
  vi.stubGlobal(
    'AudioContext',
    class extends EventTarget {
      sampleRate = 16_000;
      state = 'running';
      audioWorklet = { addModule: () => Promise.resolve() };
      createMediaStreamSource = () => ({ connect: () => undefined, disconnect: () => undefined });
      resume = () => Promise.resolve();
      close = () => Promise.resolve();
    },
  );
  vi.stubGlobal(
    'AudioWorkletNode',
    class {
      port = {
        onmessage: null as ((event: { data: null }) => void) | null,
        postMessage: () => this.port.onmessage?.({ data: null }),
      };
    },
  );
}

beforeEach(stubBrowserAudio);
afterEach(() => {
  vi.unstubAllGlobals();
  stopTrack.mockReset();
});

describe('a recording whose screen is left', () => {
  const setUp = () => {
    const abortController = new AbortController();
    const cue = vi.fn((_name: string) => Promise.resolve());
    const openUpload = vi.fn<RecorderOptions['openUpload']>(() =>
      Promise.resolve({
        send: () => Promise.resolve({ progress: null }),
        finish: () => Promise.resolve({ wasUnderstood: true }),
      }),
    );
    const begin = () =>
      startRecording(
        {
          microphoneId: null,
          patience: null,
          openUpload,
          processing: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
          cue,
          signal: abortController.signal,
        },
        { onState: () => undefined, onEnded: () => undefined, onLost: () => undefined },
      );
    return { abortController, cue, openUpload, begin };
  };

  it('begins with the cue while the screen is there', async () => {
    const { cue, openUpload, begin } = setUp();
    const recording = await begin();
    expect(cue).toHaveBeenCalledWith('start');
    expect(openUpload).toHaveBeenCalledOnce();
    expect(await recording.finish()).toEqual({ wasUnderstood: true });
    expect(stopTrack).toHaveBeenCalled();
  });

  it('neither sounds nor begins a turn when it is left while the microphone opens', async () => {
    const { abortController, cue, openUpload, begin } = setUp();
    const beginning = begin();
    abortController.abort();
    await expect(beginning).rejects.toThrow(/abort/i);
    expect(cue).not.toHaveBeenCalled();
    expect(openUpload).not.toHaveBeenCalled();
    expect(stopTrack).toHaveBeenCalled();
  });

  it('begins no turn when it is left during the cue', async () => {
    const { abortController, cue, openUpload, begin } = setUp();
    cue.mockImplementation((name) => {
      if (name === 'start') abortController.abort();
      return Promise.resolve();
    });
    await expect(begin()).rejects.toThrow(/abort/i);
    expect(openUpload).not.toHaveBeenCalled();
    expect(stopTrack).toHaveBeenCalled();
  });
});
