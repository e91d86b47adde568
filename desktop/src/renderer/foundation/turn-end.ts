/** The choices of how a spoken turn ends, in Settings and before a practice. */
import { t } from '@parley/i18n';
import type { DeviceSettings } from '@parley/contract';
import type { Option } from '@parley/ui';

export type TurnEnd = 'button' | 'automatic' | '1000' | '2000' | '3000';

type TurnEndSettings = Pick<DeviceSettings, 'patienceMs' | 'endsTurnAutomatically'>;

export function turnEndOf({ patienceMs, endsTurnAutomatically }: TurnEndSettings): TurnEnd {
  if (patienceMs === null) return endsTurnAutomatically ? 'automatic' : 'button';
  return `${patienceMs}`;
}

const SETTINGS_BY_TURN_END: Record<TurnEnd, TurnEndSettings> = {
  button: { patienceMs: null, endsTurnAutomatically: false },
  automatic: { patienceMs: null, endsTurnAutomatically: true },
  '1000': { patienceMs: 1_000, endsTurnAutomatically: false },
  '2000': { patienceMs: 2_000, endsTurnAutomatically: false },
  '3000': { patienceMs: 3_000, endsTurnAutomatically: false },
};

export const settingsOfTurnEnd = (turnEnd: TurnEnd): TurnEndSettings => SETTINGS_BY_TURN_END[turnEnd];

const secondsOfSilence = (seconds: number): string =>
  t('{seconds, plural, one {After # second of silence} other {After # seconds of silence}}', { seconds });

const AFTER_SILENCE: readonly Option<TurnEnd>[] = [
  { value: '1000', label: secondsOfSilence(1) },
  { value: '2000', label: secondsOfSilence(2) },
  { value: '3000', label: secondsOfSilence(3) },
];

export const TURN_END_OPTIONS: readonly Option<TurnEnd>[] = [
  { value: 'button', label: t('When I press the button') },
  { value: 'automatic', label: t('Automatically') },
  ...AFTER_SILENCE,
];

/** In a call, no button ends a turn. */
export const CALL_TURN_END_OPTIONS: readonly Option<TurnEnd>[] = [
  { value: 'automatic', label: t('When the coach thinks I’ve finished') },
  ...AFTER_SILENCE,
];

export const automaticTurnEndSentence = (): string =>
  t(
    'Your turn ends one second after you’ve said a whole expected answer. Otherwise Parley waits two to four seconds: the longer you pause, the longer it waits. In a noisy room, use the button.',
  );
