import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeAudioContext, stubBrowserAudio } from '../test-kit/stub-browser-audio.ts';
import { openPcmPlayer, type PcmPlayer } from './pcm-player.ts';

beforeEach(() => stubBrowserAudio());
afterEach(() => vi.unstubAllGlobals());

const noListener = {
  onStarted: () => undefined,
  onLevel: () => undefined,
  onDrained: () => undefined,
  onPaused: () => undefined,
  onStopped: () => undefined,
};

describe('a player whose audio the browser stops', () => {
  const setUp = async (): Promise<{ player: PcmPlayer; context: FakeAudioContext }> => {
    const player = await openPcmPlayer(noListener);
    const context = FakeAudioContext.last;
    context.resume.mockClear();
    return { player, context };
  };

  it('continues when the audio can be resumed', async () => {
    const { context } = await setUp();
    context.fail('suspended');
    expect(context.resume).toHaveBeenCalledOnce();
    expect(context.state).toBe('running');
  });

  it('continues when another output is found later', async () => {
    const { context } = await setUp();
    context.resume.mockRejectedValueOnce(new Error('there is no output'));
    context.fail('suspended');
    expect(context.state).toBe('suspended');
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
    expect(context.state).toBe('running');
  });

  it('is left alone once it is closed', async () => {
    const { player, context } = await setUp();
    await player.close();
    context.fail('suspended');
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
    expect(context.resume).not.toHaveBeenCalled();
  });
});
