/** Deletes sessions, several at once if necessary, and restores those that were deleted since the screen was opened. */
import type { HistoryItem } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { errorCode } from '../foundation/sentences/error-sentence.ts';

export interface DeleteSession {
  remove: (item: HistoryItem) => void;
  restore: (item: HistoryItem) => void;
  /** Sessions that are being deleted but are still listed, which takes a moment after years of practice. */
  deleting: readonly SessionId[];
  lastDeleted: HistoryItem | undefined;
  isRestoring: boolean;
  failure: unknown;
}

export function useDeleteSession({ onRestored }: { onRestored: () => void }): DeleteSession {
  const { client } = useHost();
  const [deleting, setDeleting] = useState<readonly SessionId[]>([]);
  const [deleted, setDeleted] = useState<readonly HistoryItem[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const deletion = useMutation({
    mutationFn: ({ sessionId }: HistoryItem) => client.history.remove({ sessionId }),
    onMutate: ({ sessionId }) => {
      setFailure(null);
      setDeleting((before) => [...before, sessionId]);
    },
    onSuccess: (_done, item) => setDeleted((before) => [...without(item, before), item]),
    onError: (error) => {
      if (!isDoneElsewhere(error)) setFailure(error);
    },
    onSettled: (_done, _error, { sessionId }) => setDeleting((before) => before.filter((id) => id !== sessionId)),
  });
  const forget = (item: HistoryItem): void => {
    setDeleted((before) => without(item, before));
    onRestored();
  };
  const undo = useMutation({
    mutationFn: ({ sessionId }: HistoryItem) => client.history.restore({ sessionId }),
    onMutate: () => setFailure(null),
    onSuccess: (_done, item) => forget(item),
    onError: (error, item) => {
      if (isDoneElsewhere(error)) forget(item);
      else setFailure(error);
    },
  });
  return {
    remove: (item) => {
      if (!deleting.includes(item.sessionId)) deletion.mutate(item);
    },
    restore: (item) => undo.mutate(item),
    deleting,
    lastDeleted: deleted.at(-1),
    isRestoring: undo.isPending,
    failure,
  };
}

const without = ({ sessionId }: HistoryItem, items: readonly HistoryItem[]): HistoryItem[] =>
  items.filter((item) => item.sessionId !== sessionId);

/** Another device, or an earlier press, has deleted or restored the session. */
const isDoneElsewhere = (error: unknown): boolean => errorCode(error) === 'session.not_found';
