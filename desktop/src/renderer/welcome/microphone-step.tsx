/** Whether Parley can hear the learner; a practice in writing needs no microphone. */
import { Badge, Button, Quiet, Row } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import css from './welcome.module.css';
import type { StepProps } from './welcome-screen.tsx';

export function MicrophoneStep({ device }: StepProps): ReactElement {
  const navigate = useNavigate();
  return (
    <div className={css['narrow']}>
      <p>
        Your voice is recorded and scored on this computer. Only a live coach hears it elsewhere, and you are told so
        before.
      </p>
      <Row>
        <Button
          icon="microphone"
          onPress={() => void navigate({ to: '/microphone', search: { next: '/welcome?step=4' } })}
        >
          Check the microphone
        </Button>
        {device.microphoneChecked && <Badge icon="check">Checked</Badge>}
      </Row>
      <Quiet small>No microphone here? You can write instead of speaking; pronunciation is then not scored.</Quiet>
    </div>
  );
}
