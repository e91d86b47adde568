/** Help: shortcuts, and what to do when something does not work. */
import { t } from '@parley/i18n';
import { Button, Card, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner, Screen } from '../foundation/screen/screen.tsx';
import { CrashReports } from './crash-reports.tsx';
import css from './help.module.css';
import { NoticesDialog } from './notices-dialog.tsx';
import { RepairDialog } from './repair-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { Shortcuts } from './shortcuts.tsx';

export function HelpScreen(): ReactElement {
  return (
    <Screen title={t('Help')} intro={t('Everything you’ve done is saved on your disk, whatever happens to Parley.')}>
      <div className={css['grid']}>
        <Trouble />
        <Card>
          <h2>{t('Keyboard shortcuts')}</h2>
          <Shortcuts />
        </Card>
        <About />
      </div>
    </Screen>
  );
}

function About(): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card>
      <h2>{t('About Parley')}</h2>
      <Row>
        <Button onPress={() => setIsOpen(true)}>{t('Licences')}</Button>
      </Row>
      {isOpen && <NoticesDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function Trouble(): ReactElement {
  const { client, queries } = useHost();
  const [shown, setShown] = useState<'report' | 'repair' | null>(null);
  const isSafeMode = useQuery(queries.app.about.queryOptions()).data?.isSafeMode ?? false;
  const switchSafeMode = useMutation({ mutationFn: () => client.support.setSafeMode({ isOn: !isSafeMode }) });
  const close = (): void => setShown(null);
  return (
    <Card>
      <h2>{t('If something doesn’t work')}</h2>
      <section className={css['way']}>
        <h3>{t('Ask for help')}</h3>
        <MutedText>
          {t(
            'A report says which version this is, what Parley checked, and what its log files say. It contains nothing you said and no passwords, and you can read it before it’s saved.',
          )}
        </MutedText>
        <Row>
          <Button onPress={() => setShown('report')}>{t('Write a report…')}</Button>
        </Row>
      </section>
      <section className={css['way']}>
        <h3>{t('Find out what’s wrong')}</h3>
        <MutedText>
          {t(
            'In safe mode, Parley uses no server and no language model, and does nothing in the background. If the problem goes away, one of those is the cause.',
          )}
        </MutedText>
        <Row>
          <Button onPress={() => switchSafeMode.mutate()} isDisabled={switchSafeMode.isPending}>
            {isSafeMode ? t('Leave safe mode') : t('Start in safe mode')}
          </Button>
        </Row>
        {switchSafeMode.isError && <ErrorBanner error={switchSafeMode.error} />}
      </section>
      <section className={css['way']}>
        <h3>{t('Repair the database')}</h3>
        <MutedText>
          {t('Use this when Parley says the database is damaged, or when your history looks wrong.')}
        </MutedText>
        <Row>
          <Button onPress={() => setShown('repair')}>{t('Check and repair…')}</Button>
        </Row>
      </section>
      <CrashReports />
      {shown === 'report' && <ReportDialog onClose={close} />}
      {shown === 'repair' && <RepairDialog onClose={close} />}
    </Card>
  );
}
