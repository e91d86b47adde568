/** The switch for e-mail reminders. It applies to all devices and also reverses an unsubscribe. */
import { t } from '@parley/i18n';
import { MutedText, Stack, Switch } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { SavedNotice } from '../foundation/screen/saved-notice.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';

export function ReminderSwitch(): ReactElement | null {
  const { queries } = useHost();
  const profile = useQuery(queries.settings.read.queryOptions()).data?.profile;
  const save = useSaveSettings();
  if (profile === undefined) return null;
  return (
    <Stack tight>
      <Switch
        isSelected={profile.emailNotifications}
        onChange={(emailNotifications) => save.profile({ emailNotifications })}
      >
        {t('Remind me by e-mail')}
      </Switch>
      <MutedText small>
        {t(
          'When you have access but haven’t signed in, when you haven’t practised, and when your minutes run low. Codes and receipts are always sent.',
        )}
      </MutedText>
      <SavedNotice save={save} />
    </Stack>
  );
}
