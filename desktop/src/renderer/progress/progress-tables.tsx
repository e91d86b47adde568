/** The numbers of the plots, for screen readers and everyone who prefers numbers. */
import { t } from '@parley/i18n';
import type { ActivityDay, ActivityWeek, ProgressSound, SessionScoresRow } from '@parley/contract';
import { formatScore, MutedText, scoreForScreenReader } from '@parley/ui';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { DIMENSION_NAMES, DIMENSION_ORDER } from '../foundation/scores/dimension-names.ts';
import { formatLongDay, formatNumber, formatDate } from './format-day.ts';
import css from './progress.module.css';
import { practiceTitle } from '../foundation/sentences/practice-title.ts';

/** A longer table would take too long to read aloud; the CSV has all rows. */
const ROWS_SHOWN = 100;

/** A score, and for screen readers "not measured" instead of a dash. */
const Score = ({ score }: { score: number | null }): ReactElement => (
  <td>
    {score === null ? <span aria-label={scoreForScreenReader(null)}>{formatScore(null)}</span> : formatScore(score)}
  </td>
);

function Table({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly string[];
  rows: ReactNode[];
}): ReactElement {
  return (
    <div className={css['tableBox']} role="group" aria-label={label} tabIndex={0}>
      <table className={css['table']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}

export function SessionsTable({ sessions }: { sessions: readonly SessionScoresRow[] }): ReactElement {
  return (
    <>
      <Table
        label={t('Scores of your practices')}
        columns={[t('Date'), t('Practice'), ...DIMENSION_ORDER.map((name) => DIMENSION_NAMES[name]), t('Minutes')]}
        rows={sessions.slice(0, ROWS_SHOWN).map(({ sessionId, at, title, minutes, scores }) => (
          <tr key={sessionId}>
            <td>{formatDate(at)}</td>
            <th scope="row" lang="en">
              <Link to="/session/$sessionId/result" params={{ sessionId }}>
                {practiceTitle(title)}
              </Link>
            </th>
            {DIMENSION_ORDER.map((name) => (
              <Score key={name} score={scores[name]} />
            ))}
            <td>{formatNumber(minutes)}</td>
          </tr>
        ))}
      />
      {sessions.length > ROWS_SHOWN && (
        <MutedText small>
          {t('The newest {shown} of {count} practices. The CSV has all of them.', {
            shown: ROWS_SHOWN,
            count: formatNumber(sessions.length),
          })}
        </MutedText>
      )}
    </>
  );
}

export const SoundsTable = ({ sounds }: { sounds: readonly ProgressSound[] }): ReactElement => (
  <Table
    label={t('Your sounds')}
    columns={[t('Sounds'), t('Recent'), t('When you started'), t('Recent attempts'), t('All attempts')]}
    rows={sounds.map(({ sound, accuracy, began, attempts, total }) => (
      <tr key={sound}>
        <th scope="row" className={css['ipa']}>
          {sound}
        </th>
        <Score score={accuracy} />
        <Score score={began} />
        <td>{formatNumber(attempts)}</td>
        <td>{formatNumber(total)}</td>
      </tr>
    ))}
  />
);

export const DaysTable = ({ days }: { days: readonly ActivityDay[] }): ReactElement => (
  <Table
    label={t('Days you practised')}
    columns={[t('Day'), t('Minutes'), t('Words spoken')]}
    rows={days.toReversed().map(({ day, minutes, words }) => (
      <tr key={day}>
        <th scope="row">{formatLongDay(day)}</th>
        <td>{formatNumber(minutes)}</td>
        <td>{formatNumber(words)}</td>
      </tr>
    ))}
  />
);

export const WeeksTable = ({ weeks }: { weeks: readonly ActivityWeek[] }): ReactElement => (
  <Table
    label={t('Minutes a week')}
    columns={[t('Week from'), t('Minutes'), t('Words learned')]}
    rows={weeks.toReversed().map(({ monday, minutes, wordsLearned }) => (
      <tr key={monday}>
        <th scope="row">{formatLongDay(monday)}</th>
        <td>{formatNumber(minutes)}</td>
        <td>{formatNumber(wordsLearned)}</td>
      </tr>
    ))}
  />
);
