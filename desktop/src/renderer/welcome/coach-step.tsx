/** With whom the learner likes to talk, by ear. */
import { Avatar, Badge, Button, Card, Quiet, Row } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { useSpeaker } from '../audio/index.ts';
import css from './welcome.module.css';
import type { StepProps } from './welcome-screen.tsx';

export function CoachStep({ profile }: StepProps): ReactElement {
  const { queries } = useHost();
  const save = useSaveSettings();
  const speaker = useSpeaker();
  const coaches = useQuery(queries.catalogue.coaches.queryOptions());
  return (
    <Answered query={coaches} waiting="Loading the coaches">
      {(all) => (
        <ul className={css['coaches']}>
          {all.map((coach) => (
            <li key={coach.agentId}>
              <Card>
                <Row>
                  <Avatar src={coach.avatarUrl} size={56} />
                  <div>
                    <h2>{coach.name}</h2>
                    <Quiet small>{coach.characterTraits.join(', ')}</Quiet>
                  </div>
                </Row>
                <Row>
                  <Button
                    icon="speaker"
                    look="quiet"
                    onPress={() => void speaker.speak(`Hello, I am ${coach.name}. Nice to meet you.`, coach.voice)}
                  >
                    Hear {coach.name}
                  </Button>
                  {coach.agentId === profile.agentId ? (
                    <Badge icon="check">Chosen</Badge>
                  ) : (
                    <Button onPress={() => save.profile({ agentId: coach.agentId })}>Choose {coach.name}</Button>
                  )}
                </Row>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </Answered>
  );
}
