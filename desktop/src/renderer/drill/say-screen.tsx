/** One drill: its text lights up during speech and is scored afterwards. */
import { formatLocale, t } from '@parley/i18n';
import type { DeviceSettings, Drill, DrillAttempt } from '@parley/contract';
import { Badge, Button, Card, formatScore, MutedText, Row, Stack, typographic } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { UnusableNotice } from '../foundation/screen/unusable-notice.tsx';
import { explain } from '../foundation/language/explanations.tsx';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, ErrorBanner, Screen } from '../foundation/screen/screen.tsx';
import {
  ProgressText,
  RecordButton,
  useChooseMicrophone,
  useDrillRecorder,
  useSpaceToRecord,
  useSpeaker,
} from '../audio/index.ts';
import { spokenColumns } from '../foundation/scores/session-columns.ts';
import { ScoreSummary, TurnFeedback } from '../practice/index.ts';
import css from './drill.module.css';

/** Texts of at least this length are read aloud rather than said from memory. */
const LONG_TEXT_CHARACTERS = 200;
const SLOW_RATE = 0.7;

export function SayScreen(): ReactElement {
  const { queries } = useHost();
  const { text } = useSearch({ from: '/drills/say' });
  const settings = useQuery(queries.settings.read.queryOptions());
  const drills = useQuery(queries.drill.list.queryOptions());
  const drill = drills.data?.find((candidate) => candidate.text === text);
  const title = drill === undefined ? { text: t('Say it'), lang: undefined } : explain(drill.trains);
  return (
    <Screen
      title={title.text}
      isTitleEnglish={title.lang === 'en'}
      action={
        <Link to="/drills" search={{ kind: drill?.kind ?? 'own' }}>
          {t('All drills')}
        </Link>
      }
    >
      <QueryView query={settings} loadingLabel={t('Loading')}>
        {({ device }) => (
          <DrillRecorder
            key={text}
            text={text}
            other={drill?.other ?? null}
            isOwnText={drill === undefined}
            settings={device}
            next={nextDrillText(drills.data ?? [], drill)}
          />
        )}
      </QueryView>
    </Screen>
  );
}

const nextDrillText = (drills: readonly Drill[], drill: Drill | undefined): string | null => {
  const next = drill === undefined ? undefined : drills[drills.indexOf(drill) + 1];
  return next === undefined || next.kind !== drill?.kind ? null : next.text;
};

interface DrillRecorderProps {
  text: string;
  other: string | null;
  isOwnText: boolean;
  settings: DeviceSettings;
  next: string | null;
}

function DrillRecorder({ text, other, isOwnText, settings, next }: DrillRecorderProps): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const speaker = useSpeaker();
  const [latestAttempt, setLatestAttempt] = useState<DrillAttempt | null>(null);
  const attempts = useQuery(queries.drill.attempts.queryOptions({ input: { text } }));
  const recorder = useDrillRecorder({
    drill: { text, other, source: 'drill', isOwnText },
    device: settings,
    isReadAloud: text.length > LONG_TEXT_CHARACTERS,
    onScored: setLatestAttempt,
  });
  const start = (): void => {
    speaker.stop();
    void recorder.start();
  };
  useSpaceToRecord({ isActive: true, recorder, start });
  const { state } = recorder;
  const said = state.status === 'recording' ? (state.progress?.said ?? 0) : 0;
  return (
    <Stack>
      <Card>
        <div className={css['say']} data-long={text.length > LONG_TEXT_CHARACTERS}>
          <ProgressText text={text} said={said} />
          {other !== null && <MutedText>{t('not “{other}”', { other: typographic(other) })}</MutedText>}
        </div>
        <div className={css['voices']}>
          <Button icon="speaker" onPress={() => void speaker.speak(text)}>
            {t('Listen')}
          </Button>
          <Button icon="slow" onPress={() => void speaker.speak(text, undefined, { rate: SLOW_RATE })}>
            {t('Hear it slowly')}
          </Button>
          {other !== null && (
            <Button icon="speaker" onPress={() => void speaker.speak(other)}>
              {t('Hear “{word}”', { word: typographic(other) })}
            </Button>
          )}
          {other === null && text.includes(' ') && (
            <Button icon="drill" onPress={() => void navigate({ to: '/shadow', search: { text } })}>
              {t('Shadow this')}
            </Button>
          )}
        </div>
        <div className={css['talk']}>
          <RecordButton recorder={recorder} onStart={start} stopLabel={t('Stop and see your score')} />
        </div>
      </Card>
      {latestAttempt !== null && state.status !== 'recording' && <AttemptCard attempt={latestAttempt} />}
      {attempts.isError && <ErrorBanner error={attempts.error} />}
      <Attempts attempts={attempts.data ?? []} />
      {next !== null && (
        <Row>
          <Button
            variant={latestAttempt === null ? 'secondary' : 'primary'}
            onPress={() => void navigate({ to: '/drills/say', search: { text: next } })}
          >
            {t('Next: {value}', { value: typographic(next.length > 40 ? `${next.slice(0, 40)} …` : next) })}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

function AttemptCard({ attempt }: { attempt: DrillAttempt }): ReactElement {
  const chooseMicrophone = useChooseMicrophone();
  const { assessment, text, recordingId } = attempt;
  if (assessment.unusable !== undefined)
    return <UnusableNotice problem={assessment.unusable} onChooseMicrophone={chooseMicrophone} />;
  return (
    <Card>
      <div className={css['result']}>
        <ScoreSummary
          label={t('Pronunciation')}
          total={assessment.pron}
          columns={spokenColumns(assessment, null)}
          whyNot={t('Not measured: nothing could be scored.')}
        />
        {attempt.other !== null && <PairVerdict attempt={attempt} />}
      </div>
      <TurnFeedback text={text} assessment={assessment} recordingId={recordingId} />
    </Card>
  );
}

function PairVerdict({ attempt }: { attempt: DrillAttempt }): ReactElement {
  switch (attempt.heard) {
    case 'text':
      return <p>{t('We heard “{text}”. That’s the one.', { text: typographic(attempt.text) })}</p>;
    case 'other':
      return (
        <p>
          {t('We heard “{other}”. Listen to both, then say it again.', { other: typographic(attempt.other ?? '') })}
        </p>
      );
    case null:
      return <p>{t('That could have been either word, so we can’t tell which one you said.')}</p>;
  }
}

function Attempts({ attempts }: { attempts: readonly DrillAttempt[] }): ReactElement | null {
  const scored = attempts.filter(({ assessment }) => assessment.pron !== null);
  if (scored.length < 2) return null;
  const best = scored.reduce((top, each) => ((each.assessment.pron ?? 0) > (top.assessment.pron ?? 0) ? each : top));
  return (
    <Card>
      <h2>{t('Your attempts')}</h2>
      <ul className={css['attempts']}>
        {scored.map((attempt) => (
          <Attempt key={attempt.recordingId} attempt={attempt} isBest={attempt === best} />
        ))}
      </ul>
    </Card>
  );
}

function Attempt({ attempt, isBest }: { attempt: DrillAttempt; isBest: boolean }): ReactElement {
  const { client } = useHost();
  const speaker = useSpeaker();
  const [failure, setFailure] = useState<unknown>(null);
  const play = (): void => {
    client.recordings
      .read({ recordingId: attempt.recordingId })
      .then((wav) => speaker.play(wav))
      .catch(setFailure);
  };
  return (
    <li>
      <Row>
        <Button icon="play" onPress={play}>
          {attempt.at.toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' })}
        </Button>
        <Badge>{t('{pron} of 100', { pron: formatScore(attempt.assessment.pron) })}</Badge>
        {isBest && <Badge>{t('Best')}</Badge>}
      </Row>
      {failure !== null && <ErrorBanner error={failure} />}
    </li>
  );
}
