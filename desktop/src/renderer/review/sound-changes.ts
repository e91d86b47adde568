/** Compares the sounds of a word with those of an earlier attempt, and marks the weak ones in its pronunciation. */
import type { EarlierAttempt } from '@parley/contract';
import { TRAIN_PHONEME_BELOW } from '@parley/domain';

type Sounds = EarlierAttempt['phonemes'];

/**
 * For each sound that was just said, how accurate the same sound was then: the second n is compared with the second n.
 */
export function accuraciesBefore(now: readonly { phoneme: string }[], before: Sounds): (number | null)[] {
  const left = [...before];
  return now.map(({ phoneme }) => {
    const at = left.findIndex((sound) => sound.phoneme === phoneme);
    return at === -1 ? null : (left.splice(at, 1)[0]?.accuracy ?? null);
  });
}

export interface IpaPart {
  text: string;
  isWeak: boolean;
}

/**
 * Marks the sounds that were weak before. If another pronunciation was recognised then, the first occurrence of the
 * weakest sound is marked.
 */
export function markWeakSounds(ipa: string, before: Sounds, worst: string | undefined): IpaPart[] {
  if (before.map(({ phoneme }) => phoneme).join('') === ipa)
    return before.map(({ phoneme, accuracy }) => ({
      text: phoneme,
      isWeak: accuracy !== null && accuracy < TRAIN_PHONEME_BELOW,
    }));
  const at = worst === undefined ? -1 : ipa.indexOf(worst);
  if (worst === undefined || at === -1) return [{ text: ipa, isWeak: false }];
  return [
    { text: ipa.slice(0, at), isWeak: false },
    { text: worst, isWeak: true },
    { text: ipa.slice(at + worst.length), isWeak: false },
  ];
}
