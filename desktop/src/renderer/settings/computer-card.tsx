/** Parley outside its window: the daily reminder, the tray and the start at login. */
import { formatLocale, t } from '@parley/i18n';
import { Card, Select, Switch } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { SavedNotice } from '../foundation/screen/saved-notice.tsx';
import { QueryView } from '../foundation/screen/screen.tsx';

const NEVER = 'never';
const HOURS = Array.from({ length: 17 }, (_, index) => `${String(index + 6).padStart(2, '0')}:00`);

const formatHour = (time: string): string =>
  new Intl.DateTimeFormat(formatLocale(), { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    new Date(`2026-01-01T${time}:00Z`),
  );

/** On Linux, Electron cannot start an app at login, because each desktop environment has its own settings for that. */
const canLaunchAtLogin = (): boolean => !navigator.userAgent.includes('Linux');

/** Renders nothing if the app runs in a browser, which has no tray. */
export function ComputerCard(): ReactElement | null {
  const { queries } = useHost();
  const settings = useQuery(queries.settings.read.queryOptions());
  const about = useQuery(queries.app.about.queryOptions());
  const save = useSaveSettings();
  if (about.data?.hasTray !== true) return null;
  return (
    <Card>
      <h2>{t('On this computer')}</h2>
      <QueryView query={settings} loadingLabel={t('Loading settings')}>
        {({ device }) => (
          <>
            <Select
              label={t('Remind me to practise')}
              value={device.reminderAt ?? NEVER}
              onChange={(time) => save.device({ reminderAt: time === NEVER ? null : time })}
              options={[
                { value: NEVER, label: t('Never') },
                ...HOURS.map((time) => ({ value: time, label: formatHour(time) })),
              ]}
            />
            <Switch isSelected={device.showTray} onChange={(showTray) => save.device({ showTray })}>
              {t('Keep Parley in the tray when I close the window')}
            </Switch>
            {canLaunchAtLogin() && (
              <Switch isSelected={device.launchAtLogin} onChange={(launchAtLogin) => save.device({ launchAtLogin })}>
                {t('Start Parley when I log in')}
              </Switch>
            )}
            <SavedNotice save={save} />
          </>
        )}
      </QueryView>
    </Card>
  );
}
