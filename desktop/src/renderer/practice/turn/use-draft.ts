/** Keeps the typed draft of a session on the host, so that it survives a pause, a reload or a crash. */
import type { SessionId } from '@parley/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';

/** At most this much typing is lost in a crash. */
const SAVE_DELAY_MS = 250;

export interface Draft {
  /** Null until it is loaded. */
  text: string | null;
  /** The draft is from an earlier visit and has not been edited since. */
  isRestored: boolean;
  setText: (text: string) => void;
  /** Awaited before sending, because a later save would bring back the text that was sent. */
  saveNow: () => Promise<void>;
  /** Clears the draft if it is the `text` that was sent. */
  clearAfterSend: (text: string) => void;
  /** The error of the last save, or null. */
  error: Error | null;
}

export function useDraft(sessionId: SessionId): Draft {
  const { client, queries } = useHost();
  const [typed, setTyped] = useState<string | null>(null);
  // Not cached, because an earlier visit may have saved more.
  const saved = useQuery(queries.practice.draft.queryOptions({ input: { sessionId }, gcTime: 0 })).data?.text ?? null;
  const saveMutation = useMutation({ mutationFn: (text: string) => client.practice.keepDraft({ sessionId, text }) });
  const visibleText = typed ?? saved;
  const pendingSave = useRef({
    text: '',
    timer: null as ReturnType<typeof setTimeout> | null,
    keep: saveMutation.mutateAsync,
  });
  pendingSave.current.keep = saveMutation.mutateAsync;

  const stopTimer = (): boolean => {
    const { timer } = pendingSave.current;
    if (timer === null) return false;
    clearTimeout(timer);
    pendingSave.current.timer = null;
    return true;
  };
  const lastSave = useRef(Promise.resolve());
  const saveNow = useRef((): Promise<void> => {
    // A failed save is shown to the learner but must not prevent sending.
    if (stopTimer()) lastSave.current = pendingSave.current.keep(pendingSave.current.text).catch(() => undefined);
    return lastSave.current;
  }).current;
  useEffect(() => {
    const saveOnLeave = (): void => void saveNow();
    window.addEventListener('pagehide', saveOnLeave);
    return () => {
      window.removeEventListener('pagehide', saveOnLeave);
      saveOnLeave();
    };
  }, [saveNow]);

  return {
    text: visibleText,
    isRestored: typed === null && saved !== null && saved !== '',
    setText: (text) => {
      setTyped(text);
      pendingSave.current.text = text;
      pendingSave.current.timer ??= setTimeout(() => void saveNow(), SAVE_DELAY_MS);
    },
    saveNow,
    clearAfterSend: (text) => {
      const now = typed === null ? (saved ?? '') : pendingSave.current.text;
      if (now.trim() !== text) return;
      stopTimer();
      setTyped('');
      pendingSave.current.text = '';
    },
    error: saveMutation.error,
  };
}
