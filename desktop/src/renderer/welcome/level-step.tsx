/** The onboarding step for the English level: chosen, suggested from a reading, or left open. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { DeviceSettings, DrillAttempt } from '@parley/contract';
import { type Assessment, ENGLISH_LEVELS, type EnglishLevel, suggestLevel } from '@parley/domain';
import { Banner, Button, Card, formatScore, toOptions, MutedText, Row, SegmentedControl } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { unusableSentence } from '../foundation/sentences/unusable-sentence.ts';
import { LEVEL_NAMES, LEVEL_NAMES_IN_SENTENCES } from '../foundation/sentences/level-names.ts';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { ProgressText, RecordButton, useDrillRecorder, useSpaceToRecord } from '../audio/index.ts';
import css from './welcome.module.css';
import type { StepProps } from './step-props.ts';

const NONE = 'none';
/** From this completeness, the text counts as read to the end. */
const WHOLE_TEXT_FROM = 90;

/** The text takes about forty seconds and contains every sound that learners find hard. */
const PASSAGE =
  'Last Thursday our team moved to a new office near the river. The walls were still white and the phones did not work yet, but everybody was cheerful. We carried the chairs up to the third floor, then shared a large pizza on the floor. In the evening the view over the water was so beautiful that nobody wanted to go home. I think that we will do our best work there.';

export function LevelStep({ profile, device }: StepProps): ReactElement {
  const save = useSaveSettings();
  const [isReading, setReading] = useState(false);
  const choose = (englishLevel: EnglishLevel | null): void => save.profile({ englishLevel });
  return (
    <div className={css['narrow']}>
      <SegmentedControl
        label={t('How is your English?')}
        value={profile.englishLevel ?? NONE}
        onChange={(value) => choose(ENGLISH_LEVELS.find((level) => level === value) ?? null)}
        options={[{ value: NONE, label: t('I don’t know') }, ...toOptions(LEVEL_NAMES)]}
      />
      {isReading ? (
        <ReadAloudCheck device={device} onLevel={choose} />
      ) : (
        <Row>
          <Button icon="microphone" onPress={() => setReading(true)}>
            {t('Find out by reading aloud')}
          </Button>
          <MutedText small>{t('It takes less than a minute and is scored on this computer.')}</MutedText>
        </Row>
      )}
    </div>
  );
}

function ReadAloudCheck({
  device,
  onLevel,
}: {
  device: DeviceSettings;
  onLevel: (level: EnglishLevel) => void;
}): ReactElement {
  const [attempt, setAttempt] = useState<DrillAttempt | null>(null);
  const recorder = useDrillRecorder({
    drill: { text: PASSAGE, other: null },
    device,
    isReadAloud: true,
    onScored: setAttempt,
  });
  const start = (): void => {
    setAttempt(null);
    void recorder.start();
  };
  useSpaceToRecord({ isActive: true, recorder, start });
  const { state } = recorder;
  const level = attempt === null ? null : suggestLevel(attempt.assessment);
  return (
    <Card>
      <ProgressText text={PASSAGE} said={state.status === 'recording' ? (state.progress?.said ?? 0) : 0} />
      <div className={css['talk']}>
        <RecordButton recorder={recorder} onStart={start} stopLabel={t('I’ve read it')} />
      </div>
      {attempt !== null &&
        (level === null ? (
          <Banner tone="warn">
            {attempt.assessment.unusable === undefined
              ? t('That wasn’t enough to judge by. Read a few more sentences.')
              : unusableSentence(attempt.assessment.unusable)}
          </Banner>
        ) : (
          <Banner action={<Button onPress={() => onLevel(level)}>{t('Use this level')}</Button>}>
            <LevelSentence level={level} assessment={attempt.assessment} />
          </Banner>
        ))}
    </Card>
  );
}

function LevelSentence({ level, assessment }: { level: EnglishLevel; assessment: Assessment }): ReactElement {
  const values = {
    name: LEVEL_NAMES_IN_SENTENCES[level],
    pron: formatScore(assessment.pron),
    fluency: formatScore(assessment.fluency),
  };
  const components = { 0: <strong /> };
  return (assessment.completeness ?? 100) < WHOLE_TEXT_FROM ? (
    <Trans
      id="The part you read sounds like <0>{name}</0> level: pronunciation {pron}, fluency {fluency} of 100. This is a suggestion, not a test."
      values={values}
      components={components}
    />
  ) : (
    <Trans
      id="Your reading sounds like <0>{name}</0> level: pronunciation {pron}, fluency {fluency} of 100. This is a suggestion, not a test."
      values={values}
      components={components}
    />
  );
}
