/** Why a call is over, and what can be done now. */
import type { SessionView } from '@parley/contract';
import { Banner, Button, Quiet, Row } from '@parley/ui';
import type { ReactElement } from 'react';
import { errorCode } from '../../app/error-sentence.ts';
import { QuotaOut } from '../../app/quota-out.tsx';
import { FailureBanner } from '../../app/screen.tsx';
import { MicrophoneError, microphoneSentence } from '../../audio/index.ts';
import css from './call.module.css';
import type { CallOver } from './hold-call.ts';
import type { Call } from './use-call.ts';

export interface AfterCallProps {
  call: Call;
  session: SessionView;
  isFinishing: boolean;
  onFinish: () => void;
  onTurnByTurn: () => void;
}

const WHY: Record<CallOver, string> = {
  ended: 'You ended the call. Everything you said is kept.',
  goodbye: 'You said goodbye to each other.',
  quota: 'Everything you said is kept.',
  limit: 'No call lasts longer than 55 minutes. Everything you said is kept.',
  idle: 'Nobody spoke for three minutes, so the line was closed. Everything you said is kept.',
};

const WRITING = 'What you said last is being written down …';

/** Another window, or another device, holds the call. */
export const isElsewhere = (error: unknown): boolean =>
  errorCode(error) === 'live.elsewhere' || errorCode(error) === 'live.other_window';

export function AfterCall({ call, session, isFinishing, onFinish, onTurnByTurn }: AfterCallProps): ReactElement | null {
  const { state } = call;
  if (state.status === 'held') return isFinishing ? <Quiet>{WRITING}</Quiet> : null;
  const isOpen = session.phase !== 'ended' && session.phase !== 'scoring';
  const mayGoOn = isOpen && !isFinishing;
  const mayCall = mayGoOn && (state.status === 'failed' || state.reason === 'idle' || state.reason === 'ended');
  const hasSpoken = session.turns.some((turn) => turn.role === 'learner');
  const code = state.status === 'failed' ? errorCode(state.error) : null;
  const mayMove = state.status === 'failed' && isElsewhere(state.error);
  return (
    <div className={css['after']}>
      {state.status === 'failed' && <Failure error={state.error} />}
      {state.status === 'over' && state.reason === 'quota' && <QuotaOut />}
      {state.status === 'over' && <Quiet>{WHY[state.reason]}</Quiet>}
      <Row>
        {mayMove && (
          <Button look="primary" onPress={() => call.again({ takeOver: true })}>
            {code === 'live.elsewhere' ? 'Move it here' : 'Take it over'}
          </Button>
        )}
        {mayCall && !mayMove && (
          <Button look={state.status === 'failed' ? 'primary' : 'secondary'} icon="phone" onPress={() => call.again()}>
            Call again
          </Button>
        )}
        {mayGoOn && <Button onPress={onTurnByTurn}>Go on turn by turn</Button>}
        {(hasSpoken || !isOpen) && (
          <Button
            look={state.status === 'over' ? 'primary' : 'secondary'}
            icon="check"
            onPress={onFinish}
            isDisabled={isFinishing}
          >
            {isFinishing ? 'Scoring …' : 'See your result'}
          </Button>
        )}
      </Row>
    </div>
  );
}

function Failure({ error }: { error: unknown }): ReactElement {
  if (error instanceof MicrophoneError) return <Banner tone="error">{microphoneSentence(error)}</Banner>;
  return errorCode(error) === 'quota.out' ? <QuotaOut /> : <FailureBanner error={error} />;
}
