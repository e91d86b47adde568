/** What is being typed in a session, as the host keeps it: there again after a pause, another screen, a reload or a crash. */
import type { SessionId } from '@parley/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useHost } from '../app/host-context.tsx';

/** At most so much typing is lost with a crash. */
const KEEP_EVERY_MS = 250;

export interface Draft {
  /** Null until it is known. */
  text: string | null;
  /** It was begun before, and not touched since. */
  isRestored: boolean;
  setText: (text: string) => void;
  /** Awaited before it is sent: a keeping that came later would bring back what was sent. */
  keepNow: () => Promise<void>;
  /** `text` was sent, and is no draft any more; null: the turn that it was for. What was typed meanwhile stays. */
  wasSent: (text: string | null) => void;
  /** Why it could not be kept; null when it is. */
  error: Error | null;
}

export function useDraft(sessionId: SessionId): Draft {
  const { client, queries } = useHost();
  const [typed, setTyped] = useState<string | null>(null);
  // Asked for anew with each visit: the one before may have kept more.
  const kept = useQuery(queries.practice.draft.queryOptions({ input: { sessionId }, gcTime: 0 })).data?.text ?? null;
  const keep = useMutation({ mutationFn: (text: string) => client.practice.keepDraft({ sessionId, text }) });
  const shown = typed ?? kept;
  const soon = useRef({ text: '', timer: null as ReturnType<typeof setTimeout> | null, keep: keep.mutateAsync });
  soon.current.keep = keep.mutateAsync;

  const stopTimer = (): boolean => {
    const { timer } = soon.current;
    if (timer === null) return false;
    clearTimeout(timer);
    soon.current.timer = null;
    return true;
  };
  const underWay = useRef(Promise.resolve());
  const keepNow = useRef((): Promise<void> => {
    // Why it could not be kept is shown, and keeps nobody from sending it.
    if (stopTimer()) underWay.current = soon.current.keep(soon.current.text).catch(() => undefined);
    return underWay.current;
  }).current;
  useEffect(() => {
    const leave = (): void => void keepNow();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [keepNow]);

  return {
    text: shown,
    isRestored: typed === null && kept !== null && kept !== '',
    setText: (text) => {
      setTyped(text);
      soon.current.text = text;
      soon.current.timer ??= setTimeout(() => void keepNow(), KEEP_EVERY_MS);
    },
    keepNow,
    wasSent: (text) => {
      const now = typed === null ? (kept ?? '') : soon.current.text;
      if (text !== null && now.trim() !== text) return;
      stopTimer();
      setTyped('');
      soon.current.text = '';
    },
    error: keep.error,
  };
}
