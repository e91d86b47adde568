/** The dock while a model coach replies: who is speaking, and how to interrupt. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import { Button } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSpaceKey } from '../../audio/index.ts';
import css from '../practice.module.css';

export interface CoachSpeakingProps {
  coachName: string;
  isModelLoading: boolean;
  /** Null while there is nothing to interrupt. */
  onInterrupt: (() => void) | null;
}

export function CoachSpeaking({ coachName: name, isModelLoading, onInterrupt }: CoachSpeakingProps): ReactElement {
  useSpaceKey(onInterrupt);
  return (
    <div className={css['dockRow']}>
      <p className={css['speaking']} role="status">
        {isModelLoading ? (
          t('{name} answers as soon as the model is loaded. A large model takes a minute or two.', { name })
        ) : onInterrupt === null ? (
          t('{name} is speaking.', { name })
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
