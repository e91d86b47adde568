import { describe, expect, it } from 'vitest';
import { soundProgress, weakestSounds } from './sound-progress.ts';

const aDay = (day: string, sounds: Record<string, { attempts: number; accuracy: number }>) => ({
  day,
  totals: {
    sounds: Object.fromEntries(
      Object.entries(sounds).map(([sound, { attempts, accuracy }]) => [
        sound,
        { attempts, points: attempts * accuracy },
      ]),
    ),
  },
});

describe('the progress of a sound', () => {
  it('is the mean of the latest attempts, next to the mean of the first ones', () => {
    const days = [
      aDay('2026-11-03', { θ: { attempts: 30, accuracy: 80 } }),
      aDay('2026-11-01', { θ: { attempts: 30, accuracy: 40 } }),
      aDay('2026-11-02', { θ: { attempts: 100, accuracy: 60 } }),
    ];
    expect(soundProgress(days)).toEqual([{ sound: 'θ', accuracy: 80, attempts: 30, total: 160, began: 40 }]);
  });

  it('has no beginning to compare with while the first attempts are among the latest', () => {
    expect(soundProgress([aDay('2026-11-01', { θ: { attempts: 40, accuracy: 50 } })])[0]).toMatchObject({
      accuracy: 50,
      attempts: 40,
      began: null,
    });
  });

  it('weighs each attempt alike, however they are spread over days', () => {
    const days = [
      aDay('2026-11-01', { s: { attempts: 1, accuracy: 100 } }),
      aDay('2026-11-02', { s: { attempts: 3, accuracy: 60 } }),
    ];
    expect(soundProgress(days)[0]?.accuracy).toBe(70);
  });

  it('puts weak sounds first, and sounds that were hardly said last', () => {
    const days = [
      aDay('2026-11-01', {
        ð: { attempts: 4, accuracy: 0 },
        z: { attempts: 9, accuracy: 77 },
        θ: { attempts: 9, accuracy: 47 },
        ŋ: { attempts: 9, accuracy: 81 },
      }),
    ];
    expect(soundProgress(days).map(({ sound }) => sound)).toEqual(['θ', 'z', 'ŋ', 'ð']);
    expect(weakestSounds(days, 5).map(({ sound }) => sound)).toEqual(['θ', 'z']);
    expect(weakestSounds(days, 1)).toHaveLength(1);
    expect(weakestSounds([], 5)).toEqual([]);
  });
});
