/** Asks before the user leaves a screen with unsaved work. */
import { t } from '@parley/i18n';
import { Button, Dialog } from '@parley/ui';
import type { ReactElement } from 'react';
import { useLeaveQuestion } from '../foundation/screen/unsaved.ts';
import table from '../foundation/screen/table.module.css';

export function LeaveDialog(): ReactElement | null {
  const { status, proceed, reset } = useLeaveQuestion();
  if (status !== 'blocked') return null;
  return (
    <Dialog title={t('Leave without saving?')} isOpen onClose={reset}>
      <p>{t('Your changes on this page aren’t saved. If you leave now, they’ll be lost.')}</p>
      <div className={table['buttons']}>
        <Button variant="primary" onPress={reset}>
          {t('Stay here')}
        </Button>
        <Button variant="danger" onPress={proceed}>
          {t('Leave without saving')}
        </Button>
      </div>
    </Dialog>
  );
}
