/** Describes the sync status in a few words. */
import { t } from '@parley/i18n';
import type { SyncStatus } from '@parley/contract';

export function syncSentence({ state, waiting, rejected, unread }: SyncStatus): string {
  const changes = t('{waiting, plural, one {# change waiting} other {# changes waiting}}', { waiting });
  if (rejected > 0)
    return t('{rejected, plural, one {# change couldn’t be saved} other {# changes couldn’t be saved}}', { rejected });
  if (unread > 0 && state === 'idle') return t('Update Parley to see everything');
  switch (state) {
    case 'pushing':
    case 'pulling':
      return t('Syncing');
    case 'offline':
    case 'backing_off':
      return waiting > 0 ? t('Offline, {changes}', { changes }) : t('Offline');
    case 'outdated':
      return t('Update Parley to sync');
    case 'ahead':
      return waiting > 0 ? t('The server is being updated, {changes}', { changes }) : t('The server is being updated');
    case 'signed_out':
      return t('Signed out. Your work stays on this computer.');
    case 'not_moved':
      return t('Not in your account yet. Your work stays on this computer.');
    case 'no_server':
      return t('Only on this computer');
    case 'idle':
      return waiting > 0 ? changes : t('Everything saved');
  }
}
