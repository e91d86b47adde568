/** Saying one thing: it lights up while it is said, and is scored when it is over. */
import type { DeviceSettings, Drill, DrillAttempt } from '@parley/contract';
import { MAX_TURN_MS } from '@parley/contract';
import { wordsScore } from '@parley/domain';
import { Badge, Banner, Button, Card, formatScore, Quiet, Row, ScoreRing, Stack } from '@parley/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { FollowedText, TalkButton, useRecorder, useSpaceToTalk, useSpeaker } from '../audio/index.ts';
import { DimensionBars, TurnFeedback } from '../practice/index.ts';
import css from './drill.module.css';

/** A text that is read, not said from memory. */
const LONG_TEXT = 200;
const SLOW_RATE = 0.7;

export function SayScreen(): ReactElement {
  const { queries } = useHost();
  const { text } = useSearch({ from: '/drills/say' });
  const settings = useQuery(queries.settings.read.queryOptions());
  const drills = useQuery(queries.drill.list.queryOptions());
  const drill = drills.data?.find((candidate) => candidate.text === text);
  return (
    <Screen
      title={drill === undefined ? 'Say it' : drill.trains}
      action={
        <Link to="/drills" className={css['back']}>
          All drills
        </Link>
      }
    >
      <Answered query={settings} waiting="Loading">
        {({ device }) => (
          <Saying
            key={text}
            text={text}
            other={drill?.other ?? null}
            settings={device}
            next={nextOf(drills.data ?? [], drill)}
          />
        )}
      </Answered>
    </Screen>
  );
}

const nextOf = (drills: readonly Drill[], drill: Drill | undefined): string | null => {
  const next = drill === undefined ? undefined : drills[drills.indexOf(drill) + 1];
  return next === undefined || next.kind !== drill?.kind ? null : next.text;
};

interface SayingProps {
  text: string;
  other: string | null;
  settings: DeviceSettings;
  next: string | null;
}

function Saying({ text, other, settings, next }: SayingProps): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const speaker = useSpeaker();
  const [latest, setLatest] = useState<DrillAttempt | null>(null);
  const attempts = useQuery(queries.drill.attempts.queryOptions({ input: { text } }));
  const recorder = useRecorder({
    microphoneId: settings.microphoneId,
    // Whoever reads a passage pauses where they like.
    patienceMs: text.length > LONG_TEXT ? null : settings.patienceMs,
    maxMs: MAX_TURN_MS,
    begin: async () => {
      const { turnId } = await client.drill.begin({ text, other });
      return {
        send: (seq, pcm) => client.drill.appendAudio({ turnId, seq, pcm }),
        finish: async () => {
          setLatest(await client.drill.finish({ turnId }));
          await cache.invalidateQueries({ queryKey: queries.drill.attempts.key() });
        },
      };
    },
  });
  const start = (): void => {
    speaker.stop();
    void recorder.start();
  };
  useSpaceToTalk({ isActive: true, recorder, start });
  const { state } = recorder;
  const said = state.status === 'recording' ? (state.following?.said ?? 0) : 0;
  return (
    <Stack>
      <Card>
        <div className={css['say']} data-long={text.length > LONG_TEXT}>
          <FollowedText text={text} said={said} />
          {other !== null && <Quiet>not “{other}”</Quiet>}
        </div>
        <div className={css['voices']}>
          <Button icon="speaker" onPress={() => void speaker.speak(text)}>
            Listen
          </Button>
          <Button icon="slow" onPress={() => void speaker.speak(text, undefined, { rate: SLOW_RATE })}>
            Slowly
          </Button>
          {other !== null && (
            <Button icon="speaker" onPress={() => void speaker.speak(other)}>
              The other: “{other}”
            </Button>
          )}
        </div>
        <div className={css['talk']}>
          <TalkButton recorder={recorder} onStart={start} stopLabel="Stop and see your score" />
        </div>
      </Card>
      {latest !== null && state.status !== 'recording' && <AttemptCard attempt={latest} />}
      {attempts.isError && <FailureBanner error={attempts.error} />}
      <Attempts attempts={attempts.data ?? []} />
      {next !== null && (
        <Row>
          <Button
            look={latest === null ? 'secondary' : 'primary'}
            onPress={() => void navigate({ to: '/drills/say', search: { text: next } })}
          >
            Next: {next.length > 40 ? `${next.slice(0, 40)} …` : next}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

function AttemptCard({ attempt }: { attempt: DrillAttempt }): ReactElement {
  const { assessment, text, recordingId } = attempt;
  if (assessment.unusable !== undefined) return <Banner tone="warn">{assessment.unusable.hint}</Banner>;
  return (
    <Card>
      <div className={css['result']} role="status">
        <ScoreRing score={assessment.pron} label="Pronunciation" size={96} />
        <Stack tight>
          {attempt.other !== null && <PairVerdict attempt={attempt} />}
          <DimensionBars
            scores={{
              accuracy: assessment.accuracy,
              fluency: assessment.fluency,
              prosody: assessment.prosody,
              completeness: assessment.completeness,
              words: wordsScore([assessment]),
            }}
          />
        </Stack>
      </div>
      <TurnFeedback text={text} assessment={assessment} recordingId={recordingId} />
    </Card>
  );
}

function PairVerdict({ attempt }: { attempt: DrillAttempt }): ReactElement {
  switch (attempt.heard) {
    case 'text':
      return <p>We heard “{attempt.text}”, as it should be.</p>;
    case 'other':
      return <p>We heard “{attempt.other}”. Listen to both, then say it again.</p>;
    case null:
      return <p>It lay between the two: we could not tell which word it was.</p>;
  }
}

function Attempts({ attempts }: { attempts: readonly DrillAttempt[] }): ReactElement | null {
  const scored = attempts.filter(({ assessment }) => assessment.pron !== null);
  if (scored.length < 2) return null;
  const best = scored.reduce((top, each) => ((each.assessment.pron ?? 0) > (top.assessment.pron ?? 0) ? each : top));
  return (
    <Card>
      <h2>Your attempts</h2>
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
          {attempt.at.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
        </Button>
        <Badge>{formatScore(attempt.assessment.pron)} of 100</Badge>
        {isBest && <Badge>Best</Badge>}
      </Row>
      {failure !== null && <FailureBanner error={failure} />}
    </li>
  );
}
