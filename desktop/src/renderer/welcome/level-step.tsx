/** How well the learner speaks: as they see it, or by a minute of reading aloud, or not said at all. */
import { type DrillAttempt, MAX_TURN_MS } from '@parley/contract';
import { ENGLISH_LEVELS, type EnglishLevel, suggestLevel } from '@parley/domain';
import { Banner, Button, Card, formatScore, optionsOf, Quiet, Row, Segments } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { LEVEL_NAMES } from '../app/level-names.ts';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { FollowedText, TalkButton, useRecorder, useSpaceToTalk } from '../audio/index.ts';
import css from './welcome.module.css';
import type { StepProps } from './welcome-screen.tsx';

const NONE = 'none';

/** About forty seconds, with every sound that learners find hard. */
const PASSAGE =
  'Last Thursday our team moved to a new office near the river. The walls were still white and the phones did not work yet, but everybody was cheerful. We carried the chairs up to the third floor, then shared a large pizza on the floor. In the evening the view over the water was so beautiful that nobody wanted to go home. I think that we will do our best work there.';

export function LevelStep({ profile, device }: StepProps): ReactElement {
  const save = useSaveSettings();
  const [isReading, setReading] = useState(false);
  const choose = (englishLevel: EnglishLevel | null): void => save.profile({ englishLevel });
  return (
    <div className={css['narrow']}>
      <Segments
        label="How is your English?"
        value={profile.englishLevel ?? NONE}
        onChange={(value) => choose(ENGLISH_LEVELS.find((level) => level === value) ?? null)}
        options={[{ value: NONE, label: 'I don’t know' }, ...optionsOf(LEVEL_NAMES)]}
      />
      {isReading ? (
        <Reading microphoneId={device.microphoneId} onLevel={choose} />
      ) : (
        <Row>
          <Button icon="microphone" onPress={() => setReading(true)}>
            Find out by reading aloud
          </Button>
          <Quiet small>Less than a minute. It is scored on this computer.</Quiet>
        </Row>
      )}
    </div>
  );
}

function Reading({
  microphoneId,
  onLevel,
}: {
  microphoneId: string | null;
  onLevel: (level: EnglishLevel) => void;
}): ReactElement {
  const { client } = useHost();
  const [attempt, setAttempt] = useState<DrillAttempt | null>(null);
  const recorder = useRecorder({
    microphoneId,
    // Whoever reads pauses where they like.
    patienceMs: null,
    maxMs: MAX_TURN_MS,
    begin: async () => {
      const { turnId } = await client.drill.begin({ text: PASSAGE, other: null });
      return {
        send: (seq, pcm) => client.drill.appendAudio({ turnId, seq, pcm }),
        finish: async () => setAttempt(await client.drill.finish({ turnId })),
      };
    },
  });
  const start = (): void => {
    setAttempt(null);
    void recorder.start();
  };
  useSpaceToTalk({ isActive: true, recorder, start });
  const { state } = recorder;
  const level = attempt === null ? null : suggestLevel(attempt.assessment);
  return (
    <Card>
      <div className={css['passage']}>
        <FollowedText text={PASSAGE} said={state.status === 'recording' ? (state.following?.said ?? 0) : 0} />
      </div>
      <div className={css['talk']}>
        <TalkButton recorder={recorder} onStart={start} stopLabel="I have read it" />
      </div>
      {attempt !== null &&
        (level === null ? (
          <Banner tone="warn">
            {attempt.assessment.unusable?.hint ?? 'That was too little to go by. Read it again, to the end.'}
          </Banner>
        ) : (
          <Banner action={<Button onPress={() => onLevel(level)}>Take it</Button>}>
            It sounds like <strong>{LEVEL_NAMES[level].toLowerCase()}</strong>: pronunciation{' '}
            {formatScore(attempt.assessment.pron)}, fluency {formatScore(attempt.assessment.fluency)} of 100. This is a
            suggestion, no test.
          </Banner>
        ))}
    </Card>
  );
}
