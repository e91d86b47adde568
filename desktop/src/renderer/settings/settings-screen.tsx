/** The settings screen. */
import { t } from '@parley/i18n';
import type { DeviceSettings } from '@parley/contract';
import { Button, Card, MutedText, toOptions, SegmentedControl, Select, Switch } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { AccountCard } from '../account/index.ts';
import { OutputDeviceSelect } from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import { formatDateTime } from '../foundation/sentences/format-date.ts';
import { LanguageSelect } from '../foundation/language/language-select.tsx';
import { TRANSLATION_LANGUAGES } from '../foundation/language/translation-languages.ts';
import { SavedNotice } from '../foundation/screen/saved-notice.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { automaticTurnEndSentence, settingsOfTurnEnd, TURN_END_OPTIONS, turnEndOf } from '../foundation/turn-end.ts';
import { AudioProcessingSettings } from './audio-processing-settings.tsx';
import { ComputerCard } from './computer-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { LocalModelsCard } from './local-models-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { RecordingsCard } from './recordings-card.tsx';
import { VideoCopiesCard } from './video-copies-card.tsx';
import { SpeechPackCard } from './speech-pack-card.tsx';
import { ServerCard } from '../server-choice/index.ts';
import css from './settings.module.css';
import {
  describeRealtime,
  describeTranscription,
  describeModelCoach,
  describeScoring,
  describeVoice,
} from './provider-summary.ts';

export function SettingsScreen(): ReactElement {
  const navigate = useNavigate();
  return (
    <Screen
      title={t('Settings')}
      action={
        <Button variant="quiet" onPress={() => void navigate({ to: '/help' })}>
          {t('Help')}
        </Button>
      }
    >
      <div className={css['grid']}>
        <ProfileCard />
        <AppearanceCard />
        <ComputerCard />
        <AccountCard />
        <DevicesCard />
        <RecordingsCard />
        <ServerCard />
        <LocalModelsCard />
        <SpeechPackCard />
        <VideoCopiesCard />
        <AboutCard />
      </div>
    </Screen>
  );
}

const NO_LANGUAGE = 'none';
const THEME_NAMES: Record<DeviceSettings['theme'], string> = {
  system: t('System default'),
  light: t('Light'),
  dark: t('Dark'),
};

const TEXT_SIZE_NAMES: Record<DeviceSettings['textSize'], string> = {
  normal: t('Normal'),
  large: t('Large'),
  larger: t('Larger'),
};

function AppearanceCard(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const settings = useQuery(queries.settings.read.queryOptions());
  const save = useSaveSettings();
  return (
    <Card>
      <h2>{t('Sound and appearance')}</h2>
      <QueryView query={settings} loadingLabel={t('Loading settings')}>
        {({ device }) => (
          <>
            <LanguageSelect />
            <SegmentedControl
              label={t('Colours')}
              value={device.theme}
              onChange={(theme) => save.device({ theme })}
              options={toOptions(THEME_NAMES)}
            />
            <SegmentedControl
              label={t('Text size')}
              value={device.textSize}
              onChange={(textSize) => save.device({ textSize })}
              options={toOptions(TEXT_SIZE_NAMES)}
            />
            <SegmentedControl
              label={t('The coach speaks')}
              value={String(device.coachSpeed)}
              onChange={(speed) => save.device({ coachSpeed: Number(speed) })}
              options={[
                { value: '0.75', label: t('Slowly') },
                { value: '1', label: t('At normal speed') },
                { value: '1.2', label: t('Fast') },
              ]}
            />
            <SegmentedControl
              label={t('Your turn ends')}
              value={turnEndOf(device)}
              onChange={(value) => save.device(settingsOfTurnEnd(value))}
              options={TURN_END_OPTIONS}
            />
            {turnEndOf(device) === 'automatic' && <MutedText small>{automaticTurnEndSentence()}</MutedText>}
            <Select
              label={t('Translate what a coach says into')}
              value={device.ownLanguage ?? NO_LANGUAGE}
              onChange={(name) => save.device({ ownLanguage: name === NO_LANGUAGE ? null : name })}
              options={[
                { value: NO_LANGUAGE, label: t('Don’t translate') },
                ...TRANSLATION_LANGUAGES.map(({ name, ownName }) => ({ value: name, label: ownName })),
              ]}
            />
            <Switch isSelected={device.captions} onChange={(captions) => save.device({ captions })}>
              {t('Show what the coach says')}
            </Switch>
            <OutputDeviceSelect />
            <Switch isSelected={device.soundCues} onChange={(soundCues) => save.device({ soundCues })}>
              {t('Sound cues')}
            </Switch>
            <MutedText small>
              {t(
                'Plays a soft tap when recording starts or stops, when it’s your turn, and when Parley couldn’t hear you.',
              )}
            </MutedText>
            <Button
              icon="microphone"
              onPress={() => void navigate({ to: '/microphone', search: { next: '/settings' } })}
            >
              {t('Choose and check the microphone')}
            </Button>
            <AudioProcessingSettings device={device} save={save} />
            <SavedNotice save={save} />
          </>
        )}
      </QueryView>
    </Card>
  );
}

function AboutCard(): ReactElement {
  const { queries } = useHost();
  const about = useQuery(queries.app.about.queryOptions());
  const offer = useQuery(queries.coach.offer.queryOptions()).data;
  return (
    <Card>
      <h2>{t('What runs where')}</h2>
      <QueryView query={about} loadingLabel={t('Loading')}>
        {(view) => (
          <dl className={css['facts']}>
            <dt>{t('Scores')}</dt>
            <dd>{describeScoring(offer)}</dd>
            <dt>{t('Coach')}</dt>
            <dd>{t('Guided, on this computer')}</dd>
            <dt>{t('Live coach')}</dt>
            <dd>{describeModelCoach(view.serverAddress, offer)}</dd>
            <dt>{t('Transcription')}</dt>
            <dd>{describeTranscription(offer)}</dd>
            <dt>{t('Voice')}</dt>
            <dd>{describeVoice(offer)}</dd>
            <dt>{t('Calls')}</dt>
            <dd>{describeRealtime(view.serverAddress, offer)}</dd>
            <dt>{t('Your data')}</dt>
            <dd>
              <bdi>{view.dataFolder}</bdi>
            </dd>
            <dt>{t('Server')}</dt>
            <dd>{view.serverAddress ?? t('None. Nothing leaves this computer.')}</dd>
            <dt>{t('Version')}</dt>
            <dd>{view.version}</dd>
            {view.restoredFrom !== null && (
              <>
                <dt>{t('Restored')}</dt>
                <dd>
                  {t('The database was damaged and restored from the backup of {restoredFrom}.', {
                    restoredFrom: formatDateTime(view.restoredFrom.toISOString()),
                  })}
                </dd>
              </>
            )}
          </dl>
        )}
      </QueryView>
    </Card>
  );
}
