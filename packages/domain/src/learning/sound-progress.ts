/** How well a learner has said each sound recently, and how well at the beginning, computed from the totals of days. Weakest sounds come first. */
import type { DayTotals } from './day-totals.ts';

export interface SoundProgress {
  sound: string;
  /** The mean accuracy of the latest attempts, 0 to 100. */
  accuracy: number;
  /** The number of attempts behind `accuracy`. */
  attempts: number;
  /** The number of all attempts at the sound. */
  total: number;
  /** The mean accuracy of the first attempts; null while they are still among the latest ones. */
  began: number | null;
}

interface DayOfSounds {
  day: string;
  totals: Pick<DayTotals, 'sounds'>;
}

/** A mean over this many attempts is steady enough to compare; whole days are added until it is reached. */
const ENOUGH_ATTEMPTS = 30;
/** With fewer attempts, a sound may look weak by chance. */
export const MIN_SOUND_ATTEMPTS: number = 5;
/** A sound with a lower mean is worth working on. */
const CLEAR_FROM = 80;

interface Sum {
  attempts: number;
  points: number;
}

const meanOf = ({ attempts, points }: Sum): number => Math.round((points / attempts) * 10) / 10;

/** Adds up whole days, in the order given, until there are enough attempts. */
function sumEnough(days: readonly Sum[]): Sum & { days: number } {
  const sum = { attempts: 0, points: 0, days: 0 };
  for (const { attempts, points } of days) {
    if (sum.attempts >= ENOUGH_ATTEMPTS) break;
    sum.attempts += attempts;
    sum.points += points;
    sum.days += 1;
  }
  return sum;
}

function progressOf(sound: string, days: readonly Sum[]): SoundProgress {
  const latest = sumEnough(days.toReversed());
  const first = sumEnough(days);
  const overlaps = latest.days + first.days > days.length;
  return {
    sound,
    accuracy: meanOf(latest),
    attempts: latest.attempts,
    total: days.reduce((sum, { attempts }) => sum + attempts, 0),
    began: overlaps ? null : meanOf(first),
  };
}

const hasEnough = ({ attempts }: Pick<SoundProgress, 'attempts'>): boolean => attempts >= MIN_SOUND_ATTEMPTS;

/** All sounds, weakest first. Sounds with too few attempts to judge come last. `days` may be in any order. */
export function soundProgress(days: readonly DayOfSounds[]): SoundProgress[] {
  const sumsBySound = new Map<string, Sum[]>();
  for (const { totals } of days.toSorted((a, b) => (a.day < b.day ? -1 : 1)))
    for (const [sound, { attempts, points }] of Object.entries(totals.sounds)) {
      if (attempts <= 0) continue;
      const sums = sumsBySound.get(sound);
      if (sums === undefined) sumsBySound.set(sound, [{ attempts, points }]);
      else sums.push({ attempts, points });
    }
  return [...sumsBySound]
    .map(([sound, sums]) => progressOf(sound, sums))
    .toSorted(
      (a, b) => Number(hasEnough(b)) - Number(hasEnough(a)) || a.accuracy - b.accuracy || (a.sound < b.sound ? -1 : 1),
    );
}

/** Whether a sound is worth working on: said often enough to judge, and not clear yet. */
export const isWeakSound = (sound: Pick<SoundProgress, 'attempts' | 'accuracy'>): boolean =>
  hasEnough(sound) && sound.accuracy < CLEAR_FROM;

/** The sounds worth working on, weakest first. */
export const weakestSounds = (days: readonly DayOfSounds[], limit: number): SoundProgress[] =>
  soundProgress(days).filter(isWeakSound).slice(0, limit);
