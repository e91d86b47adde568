/** Whether the server may remind this learner by e-mail: for all their devices, and also after they unsubscribed from an e-mail. */
import { Quiet, Stack, Switch } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';

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
        Remind me by e-mail
      </Switch>
      <Quiet small>
        When you were let in and have not come yet, when you have not practised, and when your minutes run short. Codes
        and receipts always come.
      </Quiet>
      {save.error !== null && <FailureBanner error={save.error} />}
    </Stack>
  );
}
