/** The learner's coach: who it is, who it could be, and what a live one remembers. */
import type { CoachCard } from '@parley/contract';
import { Badge, Card, EmptyState, IconButton, Quiet, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { CoachCardView, CoachChoice } from '../catalogue/index.ts';
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

function Coaches(props: { coaches: readonly CoachCard[]; chosen: CoachCard['agentId'] | null }): ReactElement {
  const save = useSaveSettings();
  return (
    <>
      <ul className={css['coaches']}>
        {props.coaches.map((coach) => (
          <li key={coach.agentId}>
            <CoachCardView coach={coach}>
              <p>{coach.communicationStyle}</p>
              <Row>
                {coach.skills.map((skill) => (
                  <Badge key={skill}>{skill}</Badge>
                ))}
              </Row>
              <CoachChoice
                coach={coach}
                greeting={`Hello, I am ${coach.name}.`}
                chosen={coach.agentId === props.chosen ? <Badge>Your coach</Badge> : null}
                onChoose={() => save.profile({ agentId: coach.agentId })}
              />
            </CoachCardView>
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
