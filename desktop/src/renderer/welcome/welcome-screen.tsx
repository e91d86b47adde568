/** The first two minutes: who you are, how well you speak, with whom you like to talk, and then straight into a practice. */
import type { DeviceSettings, Profile } from '@parley/contract';
import { Button, Quiet, Row, Skeleton } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner, Screen } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { CoachStep } from './coach-step.tsx';
import { FirstPracticeStep } from './first-practice-step.tsx';
import { LevelStep } from './level-step.tsx';
import { MicrophoneStep } from './microphone-step.tsx';
import css from './welcome.module.css';
import { YouStep } from './you-step.tsx';

export interface StepProps {
  profile: Profile;
  device: DeviceSettings;
}

const STEPS = [
  { title: 'About you', Step: YouStep },
  { title: 'Your English', Step: LevelStep },
  { title: 'Your coach', Step: CoachStep },
  { title: 'Your microphone', Step: MicrophoneStep },
  { title: 'Your first practice', Step: FirstPracticeStep },
] as const;

export function WelcomeScreen(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const save = useSaveSettings();
  const settings = useQuery(queries.settings.read.queryOptions()).data;
  const { step } = useSearch({ from: '/welcome' });
  const current = STEPS[step - 1] ?? STEPS[0];
  const isLast = step >= STEPS.length;
  const goTo = (next: number): void => void navigate({ to: '/welcome', search: { step: next } });
  const leave = (): void => {
    save.profile({ hasSeenOnboarding: true });
    void navigate({ to: '/' });
  };
  return (
    <Screen
      title={current.title}
      intro={`Step ${step} of ${STEPS.length}. You can change everything later, in Settings.`}
    >
      <ol className={css['steps']} aria-hidden="true">
        {STEPS.map(({ title }, index) => (
          <li key={title} data-state={index + 1 < step ? 'done' : index + 1 === step ? 'now' : 'later'} />
        ))}
      </ol>
      {settings === undefined ? <Skeleton label="Loading" /> : <current.Step key={current.title} {...settings} />}
      {save.error !== null && <FailureBanner error={save.error} />}
      <Row>
        {step > 1 && (
          <Button look="quiet" onPress={() => goTo(step - 1)}>
            Back
          </Button>
        )}
        {isLast ? (
          <Button onPress={leave}>Look around first</Button>
        ) : (
          <>
            <Button look="primary" onPress={() => goTo(step + 1)}>
              Next
            </Button>
            <Button look="quiet" onPress={leave}>
              Skip all this
            </Button>
          </>
        )}
      </Row>
      {step === 1 && (
        <Quiet small>Nothing of this is needed. It helps to choose practices and words that fit your work.</Quiet>
      )}
    </Screen>
  );
}
