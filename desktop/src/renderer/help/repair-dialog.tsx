/** Says what a repair will do before it is done. */
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
        <li>{t('Parley copies the database as it is now, and keeps the copy.')}</li>
        <li>{t('It reads all of it, and writes damaged indexes anew.')}</li>
        <li>
          {t(
            'If more is damaged, it goes back to the newest good backup and adds what was not sent to your server yet.',
          )}
        </li>
      </ol>
      <MutedText>{t('Your recordings are not touched. Parley starts again, which can take a minute.')}</MutedText>
      {repair.isError && <ErrorBanner error={repair.error} />}
      <Row>
        <Button variant="primary" onPress={() => repair.mutate()} isDisabled={isRunning}>
          {isRunning ? t('Repairing …') : t('Check and repair')}
        </Button>
        <Button variant="quiet" onPress={onClose} isDisabled={isRunning}>
          {t('Not now')}
        </Button>
      </Row>
    </Dialog>
  );
}
