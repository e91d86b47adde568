/** The onboarding step for the microphone, which written practice does not need. */
import { t } from '@parley/i18n';
import { Badge, Button, MutedText, Row } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import css from './welcome.module.css';
import type { StepProps } from './step-props.ts';

export function MicrophoneStep({ device }: StepProps): ReactElement {
  const navigate = useNavigate();
  return (
    <div className={css['narrow']}>
      <p>
        {t(
          'Your voice is recorded and scored on this computer. Only a live coach hears it elsewhere, and Parley tells you beforehand.',
        )}
      </p>
      <Row>
        <Button
          icon="microphone"
          onPress={() => void navigate({ to: '/microphone', search: { next: '/welcome?step=4' } })}
        >
          {t('Check the microphone')}
        </Button>
        {device.microphoneChecked && <Badge icon="check">{t('Checked')}</Badge>}
      </Row>
      <MutedText small>
        {t('No microphone? You can write instead of speaking. Your pronunciation isn’t scored then.')}
      </MutedText>
    </div>
  );
}
