/** One quiet dot that says whether everything is where it should be. */
import type { SyncStatus } from '@parley/contract';
import { cx } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import css from './frame.module.css';
import { useHost } from './host-context.tsx';

export function syncSentence({ state, waiting, rejected, unread }: SyncStatus): string {
  const changes = `${waiting} ${waiting === 1 ? 'change' : 'changes'} waiting`;
  if (rejected > 0) return `${rejected} could not be saved`;
  if (unread > 0 && state === 'idle') return 'Update Parley to see everything';
  switch (state) {
    case 'pushing':
    case 'pulling':
      return 'Syncing';
    case 'offline':
    case 'backing_off':
      return waiting > 0 ? `Offline, ${changes}` : 'Offline';
    case 'outdated':
      return 'Update Parley to sync';
    case 'ahead':
      return waiting > 0 ? `The server is being updated, ${changes}` : 'The server is being updated';
    case 'signed_out':
      return 'Signed out: work stays on this device';
    case 'no_server':
      return 'Only on this computer';
    case 'idle':
      return waiting > 0 ? changes : 'Everything saved';
  }
}

const PASSING: readonly SyncStatus['state'][] = ['pushing', 'pulling'];
const SHOW_PASSING_AFTER_MS = 600;

/** Each turn is pushed as it is said, in a moment: only syncing that takes a while is worth a word. */
function useSteadyStatus(status: SyncStatus | undefined): SyncStatus | undefined {
  const [shown, setShown] = useState(status);
  useEffect(() => {
    const isPassing = status !== undefined && PASSING.includes(status.state);
    const timer = setTimeout(() => setShown(status), isPassing ? SHOW_PASSING_AFTER_MS : 0);
    return () => clearTimeout(timer);
  }, [status]);
  return shown ?? status;
}

export function StatusDot(): ReactElement {
  const { queries } = useHost();
  const data = useSteadyStatus(useQuery(queries.sync.status.queryOptions()).data);
  const isSettled = data !== undefined && (data.state === 'no_server' || (data.state === 'idle' && data.waiting === 0));
  const isCalm = data === undefined || (isSettled && data.rejected + data.unread === 0);
  const isOffline = data !== undefined && ['offline', 'backing_off', 'ahead', 'signed_out'].includes(data.state);
  return (
    <p className={css['status']} role="status">
      <span
        className={cx(css['dot'], isOffline ? css['dotOffline'] : !isCalm && css['dotWaiting'])}
        aria-hidden="true"
      />
      <span>{data === undefined ? 'Starting' : syncSentence(data)}</span>
    </p>
  );
}
