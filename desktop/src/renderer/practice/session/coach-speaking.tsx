/** The dock while a model coach replies: who is speaking, and how to interrupt. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import { Button } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSpaceKey } from '../../audio/index.ts';
import css from '../practice.module.css';
import type { CoachReply } from './use-coach-reply.ts';

export interface CoachSpeakingProps {
  coachName: string;
  status: Exclude<CoachReply['status'], 'failed'>;
  /** Whether the coach's voice can be heard. */
  isSpoken: boolean;
  /** Null while there is nothing to interrupt. */
  onInterrupt: (() => void) | null;
}

export function CoachSpeaking(props: CoachSpeakingProps): ReactElement {
  const { coachName: name, status, isSpoken, onInterrupt } = props;
  useSpaceKey(onInterrupt);
  return (
    <div className={css['dockRow']}>
      <p className={css['speaking']} role="status">
        {onInterrupt === null ? (
          sentenceWithoutInterruption(name, status, isSpoken)
        ) : (
          <Trans
            id="{name} is speaking. Press <0>Space</0> to interrupt."
            values={{ name }}
            components={{ 0: <kbd className={css['key']} /> }}
          />
        )}
      </p>
      {onInterrupt !== null && (
        <Button icon="microphone" onPress={onInterrupt}>
          {t('Interrupt')}
        </Button>
      )}
    </div>
  );
}

function sentenceWithoutInterruption(name: string, status: CoachSpeakingProps['status'], isSpoken: boolean): string {
  if (status === 'loading')
    return t('{name} answers as soon as the model is loaded. A large model takes a minute or two.', { name });
  if (status === 'speaking') return isSpoken ? t('{name} is speaking.', { name }) : t('{name} is answering', { name });
  return t('{name} is thinking', { name });
}
