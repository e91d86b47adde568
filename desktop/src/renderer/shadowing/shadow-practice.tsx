/** One text to shadow: listen, speak after the model or with it, compare, and record over it. */
import { t } from '@parley/i18n';
import type { DeviceSettings, DrillAttempt } from '@parley/contract';
import { Card, MutedText, Switch } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import {
  ProgressText,
  RecordButton,
  useChooseMicrophone,
  useDrillRecorder,
  useSpaceToRecord,
  useSpeaker,
} from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { UnusableNotice } from '../foundation/screen/unusable-notice.tsx';
import { CompareVoices, type OwnRecording } from './compare-voices.tsx';
import css from './shadowing.module.css';
import { useModelVoice } from './tracks/use-voices.ts';
import { usePlayback } from './use-playback.ts';

export interface ShadowPracticeProps {
  text: string;
  settings: DeviceSettings;
  /** The learner's turn from a session, shown until they record over it. */
  said: OwnRecording | null;
}

export function ShadowPractice({ text, settings, said }: ShadowPracticeProps): ReactElement {
  const { queries } = useHost();
  const speaker = useSpeaker();
  const playback = usePlayback();
  const model = useModelVoice(text);
  const chooseMicrophone = useChooseMicrophone();
  const [speaksAlong, setSpeaksAlong] = useState(false);
  const [latest, setLatest] = useState<DrillAttempt | null>(null);
  const drills = useQuery(queries.drill.list.queryOptions());
  // Drills and session answers are never the learner's own text; anything else may be.
  const isOwnText = said === null && drills.data?.every((drill) => drill.text !== text) !== false;
  const attempts = useQuery(queries.drill.attempts.queryOptions({ input: { text } }));
  const recorder = useDrillRecorder({
    drill: { text, other: null, source: 'shadowing', isOwnText },
    device: settings,
    onBegun() {
      if (speaksAlong && model.data !== undefined) void speaker.play(model.data.wav);
    },
    onEnded: speaker.stop,
    onScored: setLatest,
  });
  const start = (): void => {
    playback.stop();
    void recorder.start();
  };
  useSpaceToRecord({ isActive: true, recorder, start });
  const { state } = recorder;
  const [earlier] = attempts.data ?? [];
  const own = latest ?? earlier ?? said;
  const refused = latest?.assessment.unusable;
  return (
    <>
      <div className={css['text']} lang="en">
        <ProgressText text={text} said={state.status === 'recording' ? (state.progress?.said ?? 0) : 0} />
      </div>
      {refused !== undefined && state.status === 'idle' && (
        <UnusableNotice problem={refused} onChooseMicrophone={chooseMicrophone} />
      )}
      {attempts.isError && <ErrorBanner error={attempts.error} />}
      <CompareVoices text={text} own={own} playback={playback} />
      <Card>
        <div className={css['speak']}>
          <RecordButton recorder={recorder} onStart={start} stopLabel={t('Stop and compare')} />
        </div>
        <Switch isSelected={speaksAlong} onChange={setSpeaksAlong}>
          {t('Play the model while I speak')}
        </Switch>
        {speaksAlong && (
          <MutedText small>{t('Use headphones, or the microphone picks up the model voice too.')}</MutedText>
        )}
      </Card>
    </>
  );
}
