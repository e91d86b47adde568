/** The onboarding step that chooses a coach by listening to their voices. */
import { t } from '@parley/i18n';
import { Badge } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView } from '../foundation/screen/screen.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { CoachCardView, CoachChoice } from '../catalogue/index.ts';
import css from './welcome.module.css';
import type { StepProps } from './step-props.ts';

export function CoachStep({ profile }: StepProps): ReactElement {
  const { queries } = useHost();
  const save = useSaveSettings();
  const coaches = useQuery(queries.catalogue.coaches.queryOptions());
  return (
    <QueryView query={coaches} loadingLabel={t('Loading the coaches')}>
      {(all) => (
        <ul className={css['coaches']}>
          {all.map((coach) => (
            <li key={coach.agentId}>
              <CoachCardView coach={coach}>
                <CoachChoice
                  coach={coach}
                  greeting={`Hello, I am ${coach.name}. Nice to meet you.`}
                  chosen={coach.agentId === profile.agentId ? <Badge icon="check">{t('Selected')}</Badge> : null}
                  onChoose={() => save.profile({ agentId: coach.agentId })}
                />
              </CoachCardView>
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  );
}
