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
import { VoiceRing } from './voice-ring.tsx';

export type CoachFaceState =
  'calling' | 'again' | 'moment' | 'muted' | 'over' | 'failed' | 'elsewhere' | CallView['speaker'];

export interface CoachFaceProps {
  coach: CoachCard;
  state: CoachFaceState;
  /** The bars, which are drawn again many times a second. */
  ring: RefObject<SVGPathElement | null>;
}

const SPEAKER_STATES: ReadonlySet<CoachFaceState> = new Set(['none', 'learner', 'thinking', 'coach']);

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
      <div className={css['ring']} data-facing={state}>
        <VoiceRing state={state} ref={ring} />
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
