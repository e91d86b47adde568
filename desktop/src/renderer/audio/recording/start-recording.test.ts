import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubBrowserAudio } from '../test-kit/stub-browser-audio.ts';
import { type RecorderOptions, startRecording } from './start-recording.ts';

const stopTrack = vi.fn();

beforeEach(() => stubBrowserAudio(stopTrack));
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
