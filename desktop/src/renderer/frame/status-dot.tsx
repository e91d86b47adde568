/** The sync status in the sidebar. */
import { t } from '@parley/i18n';
import type { SyncStatus } from '@parley/contract';
import { cx } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import css from './frame.module.css';
import { useHost } from '../foundation/host/host-context.tsx';
import { syncSentence } from '../foundation/sentences/sync-sentence.ts';

const TRANSIENT_STATES: readonly SyncStatus['state'][] = ['pushing', 'pulling'];
const DISCONNECTED_STATES: readonly SyncStatus['state'][] = [
  'offline',
  'backing_off',
  'outdated',
  'ahead',
  'signed_out',
  'not_moved',
];
const SHOW_TRANSIENT_AFTER_MS = 600;

/** Every turn is pushed at once, so a short sync is not shown. */
function useDebouncedStatus(status: SyncStatus | undefined): SyncStatus | undefined {
  const [shown, setShown] = useState(status);
  useEffect(() => {
    const isTransient = status !== undefined && TRANSIENT_STATES.includes(status.state);
    const timer = setTimeout(() => setShown(status), isTransient ? SHOW_TRANSIENT_AFTER_MS : 0);
    return () => clearTimeout(timer);
  }, [status]);
  return shown ?? status;
}

export function StatusDot(): ReactElement {
  const { queries } = useHost();
  const data = useDebouncedStatus(useQuery(queries.sync.status.queryOptions()).data);
  const isSettled = data !== undefined && (data.state === 'no_server' || (data.state === 'idle' && data.waiting === 0));
  const isHealthy = data === undefined || (isSettled && data.rejected + data.unread === 0);
  const isOffline = data !== undefined && DISCONNECTED_STATES.includes(data.state);
  const sentence = data === undefined ? t('Starting') : syncSentence(data);
  return (
    <p className={css['status']} role="status">
      <span
        className={cx(css['dot'], isOffline ? css['dotOffline'] : !isHealthy && css['dotWaiting'])}
        aria-hidden="true"
        // On the dot, because screen readers would read the sentence of a titled status twice.
        title={sentence}
      />
      <span>{sentence}</span>
    </p>
  );
}
