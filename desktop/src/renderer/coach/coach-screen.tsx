/** The coach screen: choose a coach, and see the learner's former coaches and what model coaches remember. */
import { t } from '@parley/i18n';
import type { CoachCard } from '@parley/contract';
import { Badge, Banner, Card, EmptyState, IconButton, MutedText, Portrait, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation } from '../foundation/language/explanations.tsx';
import { NoServerBanner } from '../foundation/screen/no-server-banner.tsx';
import { QueryView, ErrorBanner, Screen } from '../foundation/screen/screen.tsx';
import { formatDate } from '../foundation/sentences/format-date.ts';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { CoachCardView, CoachChoice } from '../catalogue/index.ts';
import css from './coach.module.css';
import { forgetErrorSentence } from './forget-error-sentence.ts';

export function CoachScreen(): ReactElement {
  const { queries } = useHost();
  const coaches = useQuery(queries.catalogue.coaches.queryOptions());
  const settings = useQuery(queries.settings.read.queryOptions());
  return (
    <Screen title={t('Your coach')} intro={t('Who would you like to talk to? You can change whenever you like.')}>
      <QueryView query={settings} loadingLabel={t('Loading your coach')}>
        {({ profile }) => (
          <QueryView query={coaches} loadingLabel={t('Loading the coaches')}>
            {(all) => <Coaches coaches={all} chosen={profile.agentId} />}
          </QueryView>
        )}
      </QueryView>
      <CoachHistory />
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
              <p>
                <Explanation english={coach.communicationStyle} />
              </p>
              <Row>
                {coach.skills.map((skill) => (
                  <Badge key={skill}>
                    <Explanation english={skill} />
                  </Badge>
                ))}
              </Row>
              <CoachChoice
                coach={coach}
                greeting={`Hello, I am ${coach.name}.`}
                chosen={coach.agentId === props.chosen ? <Badge>{t('Your coach')}</Badge> : null}
                onChoose={() => save.profile({ agentId: coach.agentId })}
              />
            </CoachCardView>
          </li>
        ))}
      </ul>
      {save.error !== null && <ErrorBanner error={save.error} />}
    </>
  );
}

function CoachHistory(): ReactElement | null {
  const { queries } = useHost();
  const history = useQuery(queries.coach.history.queryOptions()).data ?? [];
  if (history.length === 0) return null;
  return (
    <section className={css['history']} aria-labelledby="coach-history">
      <h2 id="coach-history">{t('Your coaches so far')}</h2>
      <ol>
        {history.map(({ agentId, name, avatarUrl, from, until }) => (
          <li key={`${agentId}/${from.toISOString()}`} className={css['past']}>
            <Portrait name={name} imageUrl={avatarUrl} size={36} />
            <span>{name}</span>
            <MutedText small>
              {until === null
                ? t('Since {from}', { from: formatDate(from.toISOString()) })
                : t('{from} to {until}', {
                    from: formatDate(from.toISOString()),
                    until: formatDate(until.toISOString()),
                  })}
            </MutedText>
          </li>
        ))}
      </ol>
    </section>
  );
}

function MemoryCard(): ReactElement {
  const { queries } = useHost();
  const memory = useQuery(queries.coach.memory.queryOptions());
  const hasServer = useQuery(queries.sync.status.queryOptions()).data?.state !== 'no_server';
  /** Deleted on the server; the next sync removes them from the list. */
  const [forgotten, setForgotten] = useState<ReadonlySet<string>>(new Set());
  return (
    <Card>
      <h2>{t('What your coach remembers')}</h2>
      <MutedText>
        {t(
          'After a live conversation, your coach may note what will help next time. You can see every note and delete it.',
        )}
      </MutedText>
      <QueryView query={memory} loadingLabel={t('Loading what your coach remembers')}>
        {({ lines }) => (
          <Notes
            lines={lines.filter((line) => !forgotten.has(line))}
            hasServer={hasServer}
            onForgotten={(line) => setForgotten((before) => new Set([...before, line]))}
          />
        )}
      </QueryView>
    </Card>
  );
}

interface NotesProps {
  lines: readonly string[];
  hasServer: boolean;
  onForgotten: (line: string) => void;
}

function Notes({ lines, hasServer, onForgotten }: NotesProps): ReactElement {
  if (lines.length === 0)
    return <EmptyState title={t('Nothing yet')}>{t('Only live conversations leave notes here.')}</EmptyState>;
  return (
    <Stack>
      <ul className={css['lines']} aria-label={t('What your coach remembers')}>
        {lines.map((line) => (
          <Note key={line} line={line} isDeletable={hasServer} onForgotten={() => onForgotten(line)} />
        ))}
      </ul>
      {!hasServer && (
        <NoServerBanner>
          {t('These notes are kept on the server, so you can delete one only when Parley has a server.')}
        </NoServerBanner>
      )}
    </Stack>
  );
}

interface NoteProps {
  line: string;
  isDeletable: boolean;
  onForgotten: () => void;
}

/** Each note is deleted separately, so that a slow server does not hold up the others. */
function Note({ line, isDeletable, onForgotten }: NoteProps): ReactElement {
  const { client } = useHost();
  const forget = useMutation({ mutationFn: () => client.coach.forget({ line }), onSuccess: onForgotten });
  return (
    <li>
      <div className={css['line']}>
        <span>{line}</span>
        {isDeletable && (
          <IconButton
            icon="close"
            label={t('Delete “{title}”', { title: line })}
            onPress={() => {
              if (!forget.isPending) forget.mutate();
            }}
          />
        )}
      </div>
      {forget.isError && <Banner tone="error">{forgetErrorSentence(line, forget.error)}</Banner>}
    </li>
  );
}
