/** Says why the server rejected a change. */
import { t } from '@parley/i18n';
import type { RejectedChange } from '@parley/contract';

const REASON_BY_CODE: Record<RejectedChange['code'], string> = {
  not_yours: t('It belongs to another account.'),
  account_field: t('Only your school can change it.'),
  unknown_table: t('The server doesn’t know this kind of data yet.'),
  unknown_field: t('The server doesn’t know this field yet.'),
  invalid_value: t('The server doesn’t accept this value.'),
  read_only: t('Only your school can change it.'),
  missing_reference: t('Something it needs no longer exists.'),
  conflict: t('The same thing was already saved from another device.'),
  limit_exceeded: t('Together with what your other devices saved, it’s too large to store.'),
  internal_error: t('The server couldn’t process it. Parley will send it again later.'),
  too_large: t('It’s too large to send.'),
  storage_full: t('Your account’s storage is full. Parley will send it again once there’s space.'),
};

export const rejectionReason = ({ code, field }: Pick<RejectedChange, 'code' | 'field'>): string =>
  // The server names the session when a turn no longer fits into it.
  code === 'limit_exceeded' && field === 'sessionId'
    ? t('This conversation is longer than the server can store. The rest stays on this device.')
    : REASON_BY_CODE[code];
