/** Everything a learner can set, and where their things are. */
import type { DeviceSettings } from '@parley/contract';
import { Button, Card, optionsOf, Segments, Select, Switch } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { AccountCard } from '../account/index.ts';
import { useHost } from '../app/host-context.tsx';
import { Answered, Screen } from '../app/screen.tsx';
import { whenOf } from '../app/when.ts';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { DevicesCard } from './devices-card.tsx';
import { OWN_LANGUAGES } from './language-names.ts';
import { LocalModelsCard } from './local-models-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { ServerCard } from './server-card.tsx';
import css from './settings.module.css';
import { calls, listening, liveCoach, scores, voice } from './what-runs-where.ts';

export function SettingsScreen(): ReactElement {
  return (
    <Screen title="Settings">
      <div className={css['grid']}>
        <ProfileCard />
        <AppearanceCard />
        <AccountCard />
        <DevicesCard />
        <ServerCard />
        <LocalModelsCard />
        <AboutCard />
      </div>
    </Screen>
  );
}

const NO_LANGUAGE = 'none';
const THEME_NAMES: Record<DeviceSettings['theme'], string> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

function AppearanceCard(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const settings = useQuery(queries.settings.read.queryOptions());
  const save = useSaveSettings();
  return (
    <Card>
      <h2>Sound and looks</h2>
      <Answered query={settings} waiting="Loading settings">
        {({ device }) => (
          <>
            <Segments
              label="Colours"
              value={device.theme}
              onChange={(theme) => save.device({ theme })}
              options={optionsOf(THEME_NAMES)}
            />
            <Segments
              label="The coach speaks"
              value={String(device.coachSpeed)}
              onChange={(speed) => save.device({ coachSpeed: Number(speed) })}
              options={[
                { value: '0.75', label: 'Slowly' },
                { value: '1', label: 'Normally' },
                { value: '1.2', label: 'Fast' },
              ]}
            />
            <Segments
              label="Your turn ends"
              value={String(device.patienceMs)}
              onChange={(value) =>
                save.device({
                  patienceMs: value === '1000' ? 1_000 : value === '2000' ? 2_000 : value === '3000' ? 3_000 : null,
                })
              }
              options={[
                { value: 'null', label: 'By the button' },
                { value: '1000', label: '1 s' },
                { value: '2000', label: '2 s' },
                { value: '3000', label: '3 s' },
              ]}
            />
            <Select
              label="Translate what a coach says into"
              value={device.ownLanguage ?? NO_LANGUAGE}
              onChange={(name) => save.device({ ownLanguage: name === NO_LANGUAGE ? null : name })}
              options={[
                { value: NO_LANGUAGE, label: 'nothing: English only' },
                ...OWN_LANGUAGES.map(({ name, ownName }) => ({ value: name, label: ownName })),
              ]}
            />
            <Switch isSelected={device.captions} onChange={(captions) => save.device({ captions })}>
              Show what the coach says
            </Switch>
            <Button
              icon="microphone"
              onPress={() => void navigate({ to: '/microphone', search: { next: '/settings' } })}
            >
              Choose and check the microphone
            </Button>
          </>
        )}
      </Answered>
    </Card>
  );
}

function AboutCard(): ReactElement {
  const { queries } = useHost();
  const about = useQuery(queries.app.about.queryOptions());
  const offer = useQuery(queries.coach.offer.queryOptions()).data;
  return (
    <Card>
      <h2>What runs where</h2>
      <Answered query={about} waiting="Loading">
        {(view) => (
          <dl className={css['facts']}>
            <dt>Scores</dt>
            <dd>{scores(view.scorer, offer)}</dd>
            <dt>Coach</dt>
            <dd>guided, from written dialogues on this device</dd>
            <dt>Live coach</dt>
            <dd>{liveCoach(view.serverAddress, offer)}</dd>
            <dt>Listening</dt>
            <dd>{listening(offer)}</dd>
            <dt>Voice</dt>
            <dd>{voice(offer)}</dd>
            <dt>Calls</dt>
            <dd>{calls(view.serverAddress, offer)}</dd>
            <dt>Your data</dt>
            <dd>{view.dataFolder}</dd>
            <dt>Server</dt>
            <dd>{view.serverAddress ?? 'none: nothing leaves this device'}</dd>
            <dt>Version</dt>
            <dd>{view.version}</dd>
            {view.restoredFrom !== null && (
              <>
                <dt>Restored</dt>
                <dd>
                  The database was damaged and restored from the backup of {whenOf(view.restoredFrom.toISOString())}.
                </dd>
              </>
            )}
          </dl>
        )}
      </Answered>
    </Card>
  );
}
