/** The onboarding in five steps. */
import { t } from '@parley/i18n';
import { Button, MutedText, Row } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner, Loading, Screen } from '../foundation/screen/screen.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { CoachStep } from './coach-step.tsx';
import { FirstPracticeStep } from './first-practice-step.tsx';
import { LevelStep } from './level-step.tsx';
import { MicrophoneStep } from './microphone-step.tsx';
import css from './welcome.module.css';
import { ProfileStep } from './profile-step.tsx';

const STEPS = [
  { title: t('About you'), Step: ProfileStep },
  { title: t('Your English'), Step: LevelStep },
  { title: t('Your coach'), Step: CoachStep },
  { title: t('Your microphone'), Step: MicrophoneStep },
  { title: t('Your first practice'), Step: FirstPracticeStep },
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
      intro={t('Step {step} of {count}. You can change everything later, in Settings.', { step, count: STEPS.length })}
    >
      <ol className={css['steps']} aria-hidden="true">
        {STEPS.map(({ title }, index) => (
          <li key={title} data-state={index + 1 < step ? 'done' : index + 1 === step ? 'now' : 'later'} />
        ))}
      </ol>
      {settings === undefined ? (
        <Loading label={t('Loading')} comesFrom="computer" />
      ) : (
        <current.Step key={current.title} {...settings} />
      )}
      {save.error !== null && <ErrorBanner error={save.error} />}
      <Row>
        {step > 1 && (
          <Button variant="quiet" onPress={() => goTo(step - 1)}>
            {t('Back')}
          </Button>
        )}
        {isLast ? (
          <Button onPress={leave}>{t('I’ll look around first')}</Button>
        ) : (
          <>
            <Button variant="primary" onPress={() => goTo(step + 1)}>
              {t('Next')}
            </Button>
            <Button variant="quiet" onPress={leave}>
              {t('Skip setup')}
            </Button>
          </>
        )}
      </Row>
      {step === 1 && (
        <MutedText small>
          {t('You can skip any of this. It helps Parley choose practices and words that fit your work.')}
        </MutedText>
      )}
    </Screen>
  );
}
