/** The learner's coach: who it is, who it could be, and what a live one remembers. */
import type { CoachCard as Coach } from '@parley/contract';
import { Avatar, Badge, Button, Card, EmptyState, IconButton, Quiet, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { useSpeaker } from '../audio/index.ts';
import css from './coach.module.css';

export function CoachScreen(): ReactElement {
  const { queries } = useHost();
  const coaches = useQuery(queries.catalogue.coaches.queryOptions());
  const settings = useQuery(queries.settings.read.queryOptions());
  return (
    <Screen
      title="Your coach"
      intro="Each practice is written for one of these coaches. Say whom you like best, and see what they remember of you."
    >
      <Answered query={settings} waiting="Loading your coach">
        {({ profile }) => (
          <Answered query={coaches} waiting="Loading the coaches">
            {(all) => <Coaches coaches={all} chosen={profile.agentId} />}
          </Answered>
        )}
      </Answered>
      <MemoryCard />
    </Screen>
  );
}

function Coaches({ coaches, chosen }: { coaches: readonly Coach[]; chosen: Coach['agentId'] | null }): ReactElement {
  const save = useSaveSettings();
  const speaker = useSpeaker();
  return (
    <>
      <ul className={css['coaches']}>
        {coaches.map((coach) => (
          <li key={coach.agentId}>
            <Card>
              <Row>
                <Avatar src={coach.avatarUrl} size={56} />
                <div>
                  <h2>{coach.name}</h2>
                  <Quiet small>{coach.characterTraits.join(', ')}</Quiet>
                </div>
              </Row>
              <p>{coach.communicationStyle}</p>
              <Row>
                {coach.skills.map((skill) => (
                  <Badge key={skill}>{skill}</Badge>
                ))}
              </Row>
              <Row>
                <Button
                  icon="speaker"
                  look="quiet"
                  onPress={() => void speaker.speak(`Hello, I am ${coach.name}.`, coach.voice)}
                >
                  Hear {coach.name}
                </Button>
                {coach.agentId === chosen ? (
                  <Badge>Your coach</Badge>
                ) : (
                  <Button onPress={() => save.profile({ agentId: coach.agentId })}>Choose {coach.name}</Button>
                )}
              </Row>
            </Card>
          </li>
        ))}
      </ul>
      {save.error !== null && <FailureBanner error={save.error} />}
    </>
  );
}

function MemoryCard(): ReactElement {
  const { client, queries } = useHost();
  const memory = useQuery(queries.coach.memory.queryOptions());
  const forget = useMutation({ mutationFn: (line: string) => client.coach.forget({ line }) });
  const forgotten = forget.isSuccess ? forget.variables : null;
  return (
    <Card>
      <h2>What your coach remembers</h2>
      <Quiet>
        After a live conversation a coach may note what helps next time. You see every line, and can delete each.
      </Quiet>
      <Answered query={memory} waiting="Loading what your coach remembers">
        {({ lines }) =>
          lines.length === 0 ? (
            <EmptyState title="Nothing yet">Only live conversations leave notes here.</EmptyState>
          ) : (
            <Stack>
              <ul className={css['lines']} aria-label="What your coach remembers">
                {lines
                  .filter((line) => line !== forgotten)
                  .map((line) => (
                    <li key={line} className={css['line']}>
                      <span>{line}</span>
                      <IconButton icon="close" label={`Forget: ${line}`} onPress={() => forget.mutate(line)} />
                    </li>
                  ))}
              </ul>
            </Stack>
          )
        }
      </Answered>
      {forget.isError && <FailureBanner error={forget.error} />}
    </Card>
  );
}
