/** Crash reports: off until the learner chooses to be asked, and shown to the learner before they are sent. */
import { t } from '@parley/i18n';
import { Button, MutedText, Row, Switch } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { SavedNotice } from '../foundation/screen/saved-notice.tsx';
import { CrashDialog } from './crash-dialog.tsx';
import css from './help.module.css';

export function CrashReports(): ReactElement {
  const { queries } = useHost();
  const [isOpen, setIsOpen] = useState(false);
  const settings = useQuery(queries.settings.read.queryOptions()).data;
  const crashes = useQuery(queries.support.crashes.queryOptions({ staleTime: 0 })).data ?? [];
  const save = useSaveSettings();
  return (
    <section className={css['way']}>
      <h3>{t('If Parley crashed')}</h3>
      <MutedText>
        {t(
          'Parley notes on this computer where in its code a crash happened, and nothing you said or wrote. You can send that to your school’s server, and only there, after you’ve read it.',
        )}
      </MutedText>
      {settings !== undefined && (
        <Switch
          isSelected={settings.device.offersCrashReports}
          onChange={(offersCrashReports) => save.device({ offersCrashReports })}
        >
          {t('After a crash, ask me whether to send a report')}
        </Switch>
      )}
      <SavedNotice save={save} />
      {crashes.length > 0 && (
        <Row>
          <Button onPress={() => setIsOpen(true)}>
            {t('{count, plural, one {Read the report…} other {Read # reports…}}', { count: crashes.length })}
          </Button>
        </Row>
      )}
      {isOpen && <CrashDialog onClose={() => setIsOpen(false)} />}
    </section>
  );
}
