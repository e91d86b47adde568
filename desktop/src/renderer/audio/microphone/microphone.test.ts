import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MicrophoneError, openMicrophone } from './microphone.ts';

/** An audio context that the browser stops, as when the speaker that it plays to is switched off. */
class FailingContext extends EventTarget {
  static last: FailingContext;
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
    FailingContext.last = this;
  }

  createMediaStreamSource = () => ({ connect: () => undefined, disconnect: () => undefined });

  fail(state: 'suspended' | 'closed'): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

beforeEach(() => {
  const track = { readyState: 'live', label: '', stop: () => undefined, addEventListener: () => undefined };
  const stream = { getTracks: () => [track], getAudioTracks: () => [track] };
  const mediaDevices = Object.assign(new EventTarget(), { getUserMedia: () => Promise.resolve(stream) });
  vi.stubGlobal('navigator', { mediaDevices });
  vi.stubGlobal('AudioContext', FailingContext);
  vi.stubGlobal(
    'AudioWorkletNode',
    class {
      port = {
        onmessage: null as ((event: { data: null }) => void) | null,
        postMessage: () => this.port.onmessage?.({ data: null }),
      };
    },
  );
});
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
    const context = FailingContext.last;
    context.resume.mockClear();
    return { context, onLost, microphone };
  };

  it('goes on when the audio can be resumed', async () => {
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
