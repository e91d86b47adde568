/** The learner's coach: who it is, who it could be, and what a live one remembers. */
import type { CoachCard } from '@parley/contract';
import { Badge, Banner, Card, EmptyState, IconButton, Quiet, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { NoServer } from '../app/no-server.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { CoachCardView, CoachChoice } from '../catalogue/index.ts';
import css from './coach.module.css';
import { notForgotten } from './not-forgotten.ts';

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
  const hasServer = useQuery(queries.sync.status.queryOptions()).data?.state !== 'no_server';
  /** By the server; the next sync takes them out of what is shown. */
  const [forgotten, setForgotten] = useState<ReadonlySet<string>>(new Set());
  const forget = useMutation({
    mutationFn: (line: string) => client.coach.forget({ line }),
    onSuccess: (_, line) => setForgotten((before) => new Set([...before, line])),
  });
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
                  .filter((line) => !forgotten.has(line))
                  .map((line) => (
                    <li key={line} className={css['line']}>
                      <span>{line}</span>
                      {hasServer && (
                        <IconButton icon="close" label={`Forget: ${line}`} onPress={() => forget.mutate(line)} />
                      )}
                    </li>
                  ))}
              </ul>
              {!hasServer && <NoServer>To delete a line, Parley needs a server: it keeps these notes.</NoServer>}
            </Stack>
          )
        }
      </Answered>
      {forget.isError && <Banner tone="error">{notForgotten(forget.variables, forget.error)}</Banner>}
    </Card>
  );
}
