/** The contents of Progress, as plots or as tables. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { ProgressSound, ProgressView, SessionScoresRow } from '@parley/contract';
import { isWeakSound, joinSentences, MIN_TREND_LINE_POINTS } from '@parley/domain';
import { EmptyState, MutedText, typographic } from '@parley/ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { DIMENSION_NAMES, DIMENSION_ORDER } from '../foundation/scores/dimension-names.ts';
import { LEVEL_NAMES } from '../foundation/sentences/level-names.ts';
import { DaysChart, WeeksChart } from './activity-charts.tsx';
import { formatLongDay, formatNumber } from './format-day.ts';
import { headlineOf, mostImprovedSound } from './headline.ts';
import css from './progress.module.css';
import { ProgressSection } from './progress-section.tsx';
import { DaysTable, SoundsTable, WeeksTable } from './progress-tables.tsx';
import { SoundChart } from './sound-chart.tsx';
import { TrendPlot } from './trend-plot.tsx';
import { practiceTitle } from '../foundation/sentences/practice-title.ts';

const SOUNDS_SHOWN = 8;
/** The number of rest days shown before a recent learner's first day. */
const FEWEST_DAYS = 14;

export interface ProgressDetailsProps {
  view: ProgressView;
  isTable: boolean;
  readSessions: () => Promise<SessionScoresRow[]>;
  sessionsTable: ReactNode;
  /** Shown with the level; null when nothing is suggested. */
  levelSuggestion: ReactNode;
}

export const summarySentence = ({ practices, minutes, since }: ProgressView['totals']): string =>
  t(
    '{practices, plural, one {# practice} other {# practices}} and {minutes, plural, one {# minute} other {# minutes}} of conversation since {since}.',
    { practices, minutes: Math.round(minutes), since: since === null ? '' : formatLongDay(since) },
  );

export function ProgressDetails(props: ProgressDetailsProps): ReactElement {
  const { view, isTable, readSessions, sessionsTable, levelSuggestion } = props;
  const { totals, trends, sounds, weeks } = view;
  if (totals.since === null)
    return (
      <EmptyState title={t('Nothing to show yet')} action={<a href="#/practise">{t('Choose a practice')}</a>}>
        {t('After your first practice, you’ll see here how your sounds, melody and flow develop.')}
      </EmptyState>
    );
  const { since } = totals;
  const days = view.days.filter(({ day }, index) => day >= since || view.days.length - index <= FEWEST_DAYS);
  const file = (name: string): string => `parley-${name}-${view.today}`;
  return (
    <>
      <Headline view={view} />
      <ProgressSection
        title={t('Scores')}
        fileName={file('scores')}
        hasPicture={!isTable}
        csv={async () => sessionsCsv(await readSessions())}
      >
        {isTable ? (
          sessionsTable
        ) : (
          <>
            <div className={css['trends']}>
              {DIMENSION_ORDER.map((dimension) => (
                <div key={dimension} className={css['trend']}>
                  <TrendPlot dimension={dimension} trend={trends[dimension]} />
                </div>
              ))}
            </div>
            <TrendNote view={view} />
          </>
        )}
      </ProgressSection>
      <div className={css['columns']}>
        <Sounds sounds={sounds} isTable={isTable} fileName={file('sounds')} />
        <div className={css['side']}>
          <ProgressSection
            title={t('Days you practised')}
            fileName={file('days')}
            hasPicture={!isTable}
            csv={() => [
              [t('Day'), t('Minutes'), t('Words spoken')],
              ...days.map(({ day, minutes, words }) => [day, minutes, words]),
            ]}
          >
            {isTable ? (
              <DaysTable days={days} />
            ) : (
              <>
                <div className={css['activity']}>
                  <DaysChart days={days} />
                </div>
                <MutedText small>
                  {t(
                    'Each bar is a day, and its height shows the minutes. A ring is a day with only drills or reviews, and a dot is a rest day. A day counts once you finish a practice or review ten words; until then it’s pale.',
                  )}
                </MutedText>
              </>
            )}
          </ProgressSection>
          <ProgressSection
            title={t('Minutes a week')}
            fileName={file('weeks')}
            hasPicture={!isTable}
            csv={() => [
              [t('Week from'), t('Minutes'), t('Words learned')],
              ...weeks.map(({ monday, minutes, wordsLearned }) => [monday, minutes, wordsLearned]),
            ]}
          >
            {isTable ? (
              <WeeksTable weeks={weeks} />
            ) : (
              <div className={css['activity']}>
                <WeeksChart weeks={weeks} />
              </div>
            )}
            <MutedText small>
              {totals.wordsLearned === 0
                ? t('A word counts as learned after two clear reviews on different days. None yet.')
                : t(
                    '{words, plural, one {# word learned so far. “+” marks the week in which you learned it.} other {# words learned so far. “+” marks the weeks in which you learned them.}}',
                    {
                      words: totals.wordsLearned,
                    },
                  )}
            </MutedText>
          </ProgressSection>
          <Level level={view.level} />
          {levelSuggestion}
        </div>
      </div>
    </>
  );
}

function Headline({ view }: { view: ProgressView }): ReactElement {
  const headline = headlineOf(view);
  const sound = mostImprovedSound(view.sounds);
  return (
    <p className={css['headline']}>
      {headlineText(headline)}
      {sound !== null && (
        <span className={css['second']}>
          {' '}
          {sound.examples[0] === undefined ? (
            <Trans
              id="You’ve improved most on <0>{sound}</0>."
              values={{ sound: sound.sound }}
              components={{ 0: <span className={css['ipa']} lang="en" /> }}
            />
          ) : (
            <Trans
              id="You’ve improved most on <0>{sound}</0>, as in <1>{word}</1>."
              values={{ sound: sound.sound, word: typographic(sound.examples[0]) }}
              components={{ 0: <span className={css['ipa']} lang="en" />, 1: <em lang="en" /> }}
            />
          )}
        </span>
      )}
    </p>
  );
}

/** The number of spoken practices for two means of five. */
const PRACTICES_FOR_COMPARISON = 10;

const earlyText = (count: number): string =>
  joinSentences(t, [
    t(
      '{count, plural, =0 {No spoken practice so far.} one {# spoken practice so far.} other {# spoken practices so far.}}',
      { count },
    ),
    count === 0
      ? t('After {needed}, you’ll see a trend line here.', { needed: MIN_TREND_LINE_POINTS })
      : count < MIN_TREND_LINE_POINTS
        ? t(
            '{missing, plural, one {# more, and you’ll see a trend line here.} other {# more, and you’ll see a trend line here.}}',
            {
              missing: MIN_TREND_LINE_POINTS - count,
            },
          )
        : t('After {needed}, you’ll see how far you’ve come.', { needed: PRACTICES_FOR_COMPARISON }),
  ]);

function headlineText(headline: ReturnType<typeof headlineOf>): string {
  switch (headline.kind) {
    case 'early':
      return earlyText(headline.measured);
    case 'steady':
      return t('Your scores are about where they were when you started.');
    case 'moved': {
      const values = { name: DIMENSION_NAMES[headline.dimension], points: Math.abs(headline.points) };
      return headline.points > 0
        ? t(
            '{points, plural, one {{name}: up # point since you started.} other {{name}: up # points since you started.}}',
            values,
          )
        : t(
            '{points, plural, one {{name}: down # point since you started.} other {{name}: down # points since you started.}}',
            values,
          );
    }
  }
}

function TrendNote({ view: { trends } }: { view: ProgressView }): ReactElement {
  const most = DIMENSION_ORDER.map((dimension) => trends[dimension]).toSorted((a, b) => b.inRange - a.inRange)[0];
  const isThinned = most !== undefined && most.inRange > most.points.length;
  return (
    <MutedText small>
      {isThinned
        ? t(
            'The line is the average of five practices. {shown} of {count} practices are shown as points. Select one to open it.',
            {
              count: formatNumber(most.inRange),
              shown: most.points.length,
            },
          )
        : t('Each point is a practice. Select one to open it. The line is the average of five.')}
    </MutedText>
  );
}

function Sounds(props: { sounds: readonly ProgressSound[]; isTable: boolean; fileName: string }): ReactElement {
  const { sounds, isTable, fileName } = props;
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? sounds : sounds.slice(0, SOUNDS_SHOWN);
  return (
    <ProgressSection
      title={sounds.some(isWeakSound) ? t('Sounds to work on') : t('Your sounds')}
      fileName={fileName}
      hasPicture={!isTable && sounds.length > 0}
      csv={() => [
        [t('Sounds'), t('Recent'), t('When you started'), t('Recent attempts'), t('All attempts')],
        ...sounds.map(({ sound, accuracy, began, attempts, total }) => [sound, accuracy, began, attempts, total]),
      ]}
    >
      {sounds.length === 0 ? (
        <MutedText>{t('No sounds have been measured yet. Speak in a practice or a drill.')}</MutedText>
      ) : isTable ? (
        <SoundsTable sounds={sounds} />
      ) : (
        <>
          <MutedText small>
            {t(
              'The tick shows where you started. A score from only a few attempts is rough, so each row shows how many there were.',
            )}
          </MutedText>
          <SoundChart sounds={shown} />
          {sounds.length > SOUNDS_SHOWN && (
            <button
              type="button"
              className={css['more']}
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll
                ? t('Show the weakest only')
                : t('{count, plural, one {Show # sound} other {Show all # sounds}}', { count: sounds.length })}
            </button>
          )}
        </>
      )}
    </ProgressSection>
  );
}

const Level = ({ level }: { level: ProgressView['level'] }): ReactElement => (
  <section className={css['section']} aria-labelledby="progress-level">
    <h2 id="progress-level">{t('Level')}</h2>
    <p className={css['second']}>
      {level === null ? t('You haven’t chosen a level yet.') : LEVEL_NAMES[level]}{' '}
      <a href="#/settings">{level === null ? t('Choose one') : t('Change it')}</a>
    </p>
  </section>
);

function sessionsCsv(sessions: readonly SessionScoresRow[]): unknown[][] {
  return [
    [
      t('Date'),
      t('Practice'),
      ...DIMENSION_ORDER.map((name) => DIMENSION_NAMES[name]),
      t('Pronunciation'),
      t('Words without errors (%)'),
      t('Minutes'),
    ],
    ...sessions.map(({ at, title, minutes, scores, pron, words }) => [
      at,
      practiceTitle(title),
      ...DIMENSION_ORDER.map((name) => scores[name]),
      pron,
      words,
      minutes,
    ]),
  ];
}
