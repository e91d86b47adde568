/** Progress: how the learner's scores, sounds and days have developed. */
import { t } from '@parley/i18n';
import type { ProgressRange, SessionScoresRow } from '@parley/contract';
import { Button, SegmentedControl, toOptions } from '@parley/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import { LevelSuggestion } from '../today/index.ts';
import { ProgressDetails, summarySentence } from './progress-details.tsx';
import css from './progress.module.css';
import { SessionsTable } from './progress-tables.tsx';

const RANGE_NAMES: Record<ProgressRange, string> = { week: t('Week'), month: t('Month'), all: t('All time') };

export function ProgressScreen(): ReactElement {
  const { client, queries } = useHost();
  const [range, setRange] = useState<ProgressRange>('all');
  const [isTable, setTable] = useState(false);
  const progress = useQuery(
    queries.progress.overview.queryOptions({ input: { range }, placeholderData: keepPreviousData }),
  );
  const isEmpty = progress.data?.totals.since === null;
  return (
    <Screen
      title={t('Progress')}
      {...(progress.data === undefined || isEmpty ? {} : { intro: summarySentence(progress.data.totals) })}
      action={
        isEmpty ? null : (
          <div className={css['controls']}>
            <SegmentedControl
              label={t('Period')}
              hideLabel
              value={range}
              onChange={setRange}
              options={toOptions(RANGE_NAMES)}
            />
            <Button onPress={() => setTable(!isTable)}>{isTable ? t('Show plots') : t('Show numbers')}</Button>
          </div>
        )
      }
    >
      <QueryView query={progress} loadingLabel={t('Loading your progress')}>
        {(view) => (
          <ProgressDetails
            view={view}
            isTable={isTable}
            readSessions={(): Promise<SessionScoresRow[]> => client.progress.sessions({ range })}
            sessionsTable={<SessionScores range={range} />}
            levelSuggestion={<SuggestedLevel />}
          />
        )}
      </QueryView>
    </Screen>
  );
}

/** The suggestion that Today shows; answering it here answers it there. */
function SuggestedLevel(): ReactElement | null {
  const { queries } = useHost();
  const suggestion = useQuery(queries.today.overview.queryOptions()).data?.levelSuggestion ?? null;
  return suggestion === null ? null : <LevelSuggestion suggestion={suggestion} />;
}

function SessionScores({ range }: { range: ProgressRange }): ReactElement {
  const { queries } = useHost();
  const sessions = useQuery(queries.progress.sessions.queryOptions({ input: { range } }));
  return (
    <QueryView query={sessions} loadingLabel={t('Loading your scores')}>
      {(rows) => <SessionsTable sessions={rows} />}
    </QueryView>
  );
}
