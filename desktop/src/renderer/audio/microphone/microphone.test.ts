import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeAudioContext, stubBrowserAudio } from '../test-kit/stub-browser-audio.ts';
import { type MicrophoneError, openMicrophone } from './microphone.ts';

beforeEach(() => stubBrowserAudio());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a microphone whose audio the browser stops', () => {
  const setUp = async () => {
    const onLost = vi.fn<(error: MicrophoneError) => void>();
    const microphone = await openMicrophone(
      {
        deviceId: null,
        processing: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
      },
      { onChunk: () => undefined, onReplaced: () => undefined, onLost },
    );
    const context = FakeAudioContext.last;
    context.resume.mockClear();
    return { context, onLost, microphone };
  };

  it('continues when the audio can be resumed', async () => {
    const { context, onLost } = await setUp();
    context.fail('suspended');
    await vi.waitFor(() => expect(context.resume).toHaveBeenCalledOnce());
    await Promise.resolve();
    expect(onLost).not.toHaveBeenCalled();
  });

  it('is lost when the audio cannot be resumed, and can then be closed', async () => {
    const { context, onLost, microphone } = await setUp();
    context.resume.mockRejectedValue(new Error('the context is closed'));
    context.close.mockRejectedValue(new Error('the context is closed'));
    context.fail('closed');
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce());
    expect(onLost.mock.calls[0]?.[0].failure).toBe('unplugged');
    await microphone.close();
  });

  it('is lost when resuming takes too long', async () => {
    vi.useFakeTimers();
    const { context, onLost } = await setUp();
    context.resume.mockReturnValue(new Promise(() => undefined));
    context.fail('suspended');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(onLost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(onLost).toHaveBeenCalledOnce();
  });

  it('is left alone once it is closed', async () => {
    const { context, onLost, microphone } = await setUp();
    await microphone.close();
    context.fail('closed');
    await Promise.resolve();
    expect(context.resume).not.toHaveBeenCalled();
    expect(onLost).not.toHaveBeenCalled();
  });
});
