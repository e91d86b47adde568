/** Says why a call ended and what the learner can do next. */
import { t } from '@parley/i18n';
import type { SessionView } from '@parley/contract';
import { Button, MutedText, Row } from '@parley/ui';
import type { ReactElement } from 'react';
import { errorCode } from '../../foundation/sentences/error-sentence.ts';
import { CallQuotaExhaustedBanner } from '../../foundation/screen/quota-exhausted-banner.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { useLostFocus } from '../../foundation/screen/use-lost-focus.ts';
import { MicrophoneError, MicrophoneErrorBanner } from '../../audio/index.ts';
import css from './call.module.css';
import type { CallEndReason } from './call-reducer.ts';
import type { Call } from './use-call.ts';

export interface AfterCallProps {
  call: Call;
  session: SessionView;
  isFinishing: boolean;
  onFinish: () => void;
  onTurnByTurn: () => void;
}

const END_REASON_TEXT: Record<CallEndReason, string> = {
  ended: t('You ended the call. Everything you said is kept.'),
  goodbye: t('You said goodbye to each other.'),
  quota: t('Everything you said is kept.'),
  limit: t('No call lasts longer than 55 minutes. Everything you said is kept.'),
  asleep: t('Your computer went to sleep, so the call ended. Everything you said is kept.'),
  idle: t('It was quiet for three minutes, so the call ended. Everything you said is kept.'),
};

/** After a goodbye, or without minutes, another call makes no sense. */
const RECALLABLE_REASONS: ReadonlySet<CallEndReason> = new Set(['ended', 'idle', 'asleep']);

const TRANSCRIBING_TEXT = t('Transcribing what you said…');

/** Whether another window or device holds this call, or one about another practice. */
const isOpenElsewhere = (error: unknown): boolean =>
  errorCode(error) === 'live.elsewhere' || errorCode(error) === 'live.other_window';

export function AfterCall({ call, session, isFinishing, onFinish, onTurnByTurn }: AfterCallProps): ReactElement | null {
  const { state } = call;
  const box = useLostFocus<HTMLDivElement>();
  if (state.status === 'active') return isFinishing ? <MutedText>{TRANSCRIBING_TEXT}</MutedText> : null;
  const isOpen = session.phase !== 'ended' && session.phase !== 'scoring';
  const canContinue = isOpen && !isFinishing;
  const canReconnect = canContinue && (state.status === 'failed' || RECALLABLE_REASONS.has(state.reason));
  const hasSpoken = session.turns.some((turn) => turn.role === 'learner');
  const canTakeOver = state.status === 'failed' && isOpenElsewhere(state.error);
  return (
    <div className={css['after']} ref={box} tabIndex={-1}>
      {state.status === 'failed' && <CallErrorBanner error={state.error} />}
      {state.status === 'over' && state.reason === 'quota' && <CallQuotaExhaustedBanner />}
      {state.status === 'over' && <MutedText>{END_REASON_TEXT[state.reason]}</MutedText>}
      <Row>
        {canTakeOver && (
          <Button variant="primary" onPress={() => call.reconnect({ takeOver: true })}>
            {t('Move it here')}
          </Button>
        )}
        {canReconnect && !canTakeOver && (
          <Button
            variant={state.status === 'failed' ? 'primary' : 'secondary'}
            icon="phone"
            onPress={() => call.reconnect()}
          >
            {t('Call again')}
          </Button>
        )}
        {canContinue && <Button onPress={onTurnByTurn}>{t('Continue turn by turn')}</Button>}
        {(hasSpoken || !isOpen) && (
          <Button
            variant={state.status === 'over' ? 'primary' : 'secondary'}
            icon="check"
            onPress={onFinish}
            isDisabled={isFinishing}
          >
            {isFinishing ? t('Scoring…') : t('See your result')}
          </Button>
        )}
      </Row>
    </div>
  );
}

function CallErrorBanner({ error }: { error: unknown }): ReactElement {
  if (error instanceof MicrophoneError) return <MicrophoneErrorBanner error={error} />;
  return errorCode(error) === 'quota.out' ? <CallQuotaExhaustedBanner /> : <ErrorBanner error={error} />;
}
