/**
 * Shows the coach in a ring that indicates who is speaking and how loudly; the text below says the same. Who speaks is not announced,
 * because a screen reader would talk over the coach and into the learner's microphone.
 */
import { t } from '@parley/i18n';
import type { CoachCard } from '@parley/contract';
import { Icon, Portrait } from '@parley/ui';
import type { ReactElement, RefObject } from 'react';
import css from './call.module.css';
import { errorCode } from '../../foundation/sentences/error-sentence.ts';
import type { CallView } from './call-reducer.ts';
import type { Call } from './use-call.ts';

export type CoachFaceState =
  'calling' | 'again' | 'moment' | 'muted' | 'over' | 'failed' | 'elsewhere' | CallView['speaker'];

export interface CoachFaceProps {
  coach: CoachCard;
  state: CoachFaceState;
  /** Receives `--level`, 0-1, many times a second. */
  ring: RefObject<HTMLDivElement | null>;
}

const SPEAKER_STATES: ReadonlySet<CoachFaceState> = new Set(['none', 'learner', 'thinking', 'coach']);

const BARS = 72;
const INNER_RADIUS = 150;
const MAX_LENGTH = 60;

/** Uneven, so that the ring looks like speech and not like a gear. */
const lengthOf = (bar: number): number =>
  MAX_LENGTH * (0.4 + 0.6 * Math.abs(Math.sin(bar * 1.37) * Math.cos(bar * 0.61 + 1)));

function barPath(bar: number): string {
  const angle = (bar / BARS) * 2 * Math.PI;
  const at = (radius: number): string =>
    `${(Math.cos(angle) * radius).toFixed(1)} ${(Math.sin(angle) * radius).toFixed(1)}`;
  return `M${at(INNER_RADIUS)}L${at(INNER_RADIUS + lengthOf(bar))}`;
}

const PATHS = Array.from({ length: BARS }, (_, bar) => barPath(bar));

export function coachFaceState({
  state,
  isOnHold,
  isMuted,
}: Pick<Call, 'state' | 'isOnHold' | 'isMuted'>): CoachFaceState {
  // A call on another device may be about another practice, which the message below explains.
  if (state.status === 'failed') return errorCode(state.error) === 'live.other_window' ? 'elsewhere' : 'failed';
  if (state.status !== 'active') return 'over';
  if (state.connection !== 'open') return state.connection;
  if (isOnHold) return 'moment';
  return isMuted && state.speaker !== 'coach' ? 'muted' : state.speaker;
}

export function CoachFace({ coach, state, ring }: CoachFaceProps): ReactElement {
  const sentence = statusSentence(state, coach.name);
  const isAnnounced = !SPEAKER_STATES.has(state);
  return (
    <div className={css['face']}>
      <div className={css['ring']} data-facing={state} ref={ring}>
        <VoiceRing />
        <Portrait name={coach.name} imageUrl={coach.avatarUrl} size={264} />
      </div>
      <p className={css['name']}>{coach.name}</p>
      <p className={css['state']}>
        {state === 'muted' && <Icon name="muted" />}
        {!isAnnounced && sentence}
        <span role="status">{isAnnounced && sentence}</span>
      </p>
    </div>
  );
}

/**
 * Bars, as in the mark and the covers, which are as long as the voice is loud. The style sheet draws as much of each bar
 * as the level asks for, so React renders none of them again.
 */
function VoiceRing(): ReactElement {
  return (
    <svg className={css['bars']} viewBox="-215 -215 430 430" aria-hidden="true">
      {PATHS.map((path) => (
        <path key={path} d={path} pathLength={1} />
      ))}
    </svg>
  );
}

function statusSentence(facing: CoachFaceState, name: string): string {
  switch (facing) {
    case 'calling':
      return t('Calling {name}…', { name });
    case 'again':
      return t('Connection lost. Reconnecting… What you say is kept.');
    case 'moment':
      return t('{name} is waiting. Take your time.', { name });
    case 'muted':
      return t('You’re muted.');
    case 'over':
      return t('The call is over.');
    case 'failed':
      return t('Not connected.');
    case 'elsewhere':
      return t('This call is open in another window.');
    case 'coach':
      return t('{name} is speaking', { name });
    case 'thinking':
      return t('{name} is thinking', { name });
    case 'learner':
      return t('Listening to you');
    case 'none':
      return t('Listening');
  }
}
