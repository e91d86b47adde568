import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCuePlayer } from './cue-player.ts';
import type { SoundCue } from './render-cue.ts';

const CUE_MS = 100;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aPlayer({ mayPlay = () => true, lengthMs = CUE_MS }: { mayPlay?: () => boolean; lengthMs?: number } = {}) {
  const events: string[] = [];
  const player = createCuePlayer({
    mayPlay,
    sound: (cue, signal) =>
      new Promise((resolve) => {
        events.push(`${cue} begins`);
        const end = (how: string): void => {
          events.push(`${cue} ${how}`);
          resolve();
        };
        const ending = setTimeout(() => end('ends'), lengthMs);
        signal.addEventListener('abort', () => {
          clearTimeout(ending);
          end('is cut');
        });
      }),
  });
  const play = (cue: SoundCue): void => void player.play(cue).then(() => events.push(`${cue} is over`));
  return { events, player, play };
}

describe('the cue player', () => {
  it('lets a recording wait until its cue is over', async () => {
    const { events, play } = aPlayer();
    play('start');
    await vi.advanceTimersByTimeAsync(CUE_MS - 1);
    expect(events).toEqual(['start begins']);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toContain('start is over');
  });

  it('plays one cue after another', async () => {
    const { events, play } = aPlayer();
    play('stop');
    play('could_not_hear');
    await vi.advanceTimersByTimeAsync(CUE_MS);
    expect(events.filter((event) => event.endsWith('begins'))).toEqual(['stop begins', 'could_not_hear begins']);
    expect(events.indexOf('stop ends')).toBeLessThan(events.indexOf('could_not_hear begins'));
  });

  it('is silent while something is spoken or recorded, or cues are off', async () => {
    const { events, play } = aPlayer({ mayPlay: () => false });
    play('your_turn');
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(['your_turn is over']);
  });

  it('asks again before a cue that had to wait', async () => {
    let isSpeaking = false;
    const { events, play } = aPlayer({ mayPlay: () => !isSpeaking });
    play('stop');
    play('could_not_hear');
    isSpeaking = true;
    await vi.advanceTimersByTimeAsync(2 * CUE_MS);
    expect(events).not.toContain('could_not_hear begins');
  });

  it('cuts a cue when speech begins', async () => {
    const { events, player, play } = aPlayer();
    play('stop');
    await vi.advanceTimersByTimeAsync(10);
    player.silence();
    await vi.advanceTimersByTimeAsync(0);
    expect(events.slice(0, 3)).toEqual(['stop begins', 'stop is cut', 'stop is over']);
  });

  it('never holds a recording up for longer than half a second', async () => {
    const { events, play } = aPlayer({ lengthMs: 60_000 });
    play('start');
    await vi.advanceTimersByTimeAsync(500);
    expect(events).toContain('start is over');
  });

  it('continues after a loudspeaker failure', async () => {
    const player = createCuePlayer({ mayPlay: () => true, sound: () => Promise.reject(new Error('no loudspeaker')) });
    await expect(player.play('start')).resolves.toBeUndefined();
    await expect(player.play('stop')).resolves.toBeUndefined();
  });
});
