/** Says how far a voice moved, in octaves, which are the same for high and low voices. */
import { t } from '@parley/i18n';
import { joinSentences } from '@parley/domain';

const MOVEMENTS: readonly (readonly [octaves: number, sentence: string])[] = [
  [0, t('Your voice hardly moved.')],
  [0.25, t('Your voice moved across a quarter of an octave.')],
  [0.5, t('Your voice moved across half an octave.')],
  [0.75, t('Your voice moved across three quarters of an octave.')],
  [1, t('Your voice moved across an octave.')],
  [1.5, t('Your voice moved across an octave and a half.')],
  [2, t('Your voice moved across two octaves.')],
];

export function pitchSentence(octaves: number, pauses: number): string {
  const distanceTo = ([named]: readonly [number, string]): number => Math.abs(named - octaves);
  const [nearest] = MOVEMENTS.toSorted((a, b) => distanceTo(a) - distanceTo(b));
  return joinSentences(t, [
    nearest?.[1] ?? '',
    t(
      '{pauses, plural, =0 {You didn’t pause.} one {You paused once.} =2 {You paused twice.} other {You paused # times.}}',
      { pauses },
    ),
  ]);
}
