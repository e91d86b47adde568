/** With whom the learner likes to talk, by ear. */
import { Badge } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { CoachCardView, CoachChoice } from '../catalogue/index.ts';
import css from './welcome.module.css';
import type { StepProps } from './welcome-screen.tsx';

export function CoachStep({ profile }: StepProps): ReactElement {
  const { queries } = useHost();
  const save = useSaveSettings();
  const coaches = useQuery(queries.catalogue.coaches.queryOptions());
  return (
    <Answered query={coaches} waiting="Loading the coaches">
      {(all) => (
        <ul className={css['coaches']}>
          {all.map((coach) => (
            <li key={coach.agentId}>
              <CoachCardView coach={coach}>
                <CoachChoice
                  coach={coach}
                  greeting={`Hello, I am ${coach.name}. Nice to meet you.`}
                  chosen={coach.agentId === profile.agentId ? <Badge icon="check">Chosen</Badge> : null}
                  onChoose={() => save.profile({ agentId: coach.agentId })}
                />
              </CoachCardView>
            </li>
          ))}
        </ul>
      )}
    </Answered>
  );
}
