/** Explains what a repair will do before it starts. */
import { t } from '@parley/i18n';
import { Button, Dialog, MutedText, Row } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import css from './help.module.css';

export function RepairDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { client } = useHost();
  const repair = useMutation({ mutationFn: () => client.support.repair() });
  const isRunning = repair.isPending || repair.isSuccess;
  return (
    <Dialog title={t('Check and repair the database?')} isOpen onClose={onClose}>
      <ol className={css['steps']}>
        <li>{t('First, Parley makes a copy of the database as it is now, and keeps it.')}</li>
        <li>{t('Parley reads the whole database and rebuilds damaged indexes.')}</li>
        <li>
          {t(
            'If more is damaged, Parley goes back to the newest good backup and adds what hasn’t been sent to your server yet.',
          )}
        </li>
      </ol>
      <MutedText>{t('Your recordings aren’t touched. Parley restarts, which can take a minute.')}</MutedText>
      {repair.isError && <ErrorBanner error={repair.error} />}
      <Row>
        <Button variant="primary" onPress={() => repair.mutate()} isDisabled={isRunning}>
          {isRunning ? t('Repairing…') : t('Check and repair')}
        </Button>
        <Button variant="quiet" onPress={onClose} isDisabled={isRunning}>
          {t('Not now')}
        </Button>
      </Row>
    </Dialog>
  );
}
