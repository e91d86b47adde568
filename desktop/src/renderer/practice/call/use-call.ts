/** A call for as long as a screen shows it. */
import type { DeviceSettings, SessionView } from '@parley/contract';
import { useEffect, useRef, useState } from 'react';
import { useHost } from '../../app/host-context.tsx';
import { type CallListener, type CallOver, type CallShown, type HeldCall, holdCall } from './hold-call.ts';

export type CallState =
  ({ status: 'held' } & CallShown) | { status: 'over'; reason: CallOver } | { status: 'failed'; error: unknown };

export interface Call {
  state: CallState;
  isMuted: boolean;
  isMoment: boolean;
  setMuted: (isMuted: boolean) => void;
  setMoment: (isMoment: boolean) => void;
  /** Resolves when all that was said is with the host. */
  end: () => Promise<void>;
  /** After it was over, or failed. `takeOver`: it moves here from another device. */
  again: (wish?: { takeOver: boolean }) => void;
}

const CALLING: CallState = { status: 'held', line: 'calling', who: 'nobody', words: '', remainingS: null };

export function useCall(
  session: SessionView,
  settings: DeviceSettings,
  { onSession, onLevel }: Pick<CallListener, 'onSession' | 'onLevel'>,
): Call {
  const { client } = useHost();
  const { sessionId } = session;
  const { microphoneId, patienceMs } = settings;
  const [state, setState] = useState<CallState>(CALLING);
  const [isMuted, setMuted] = useState(false);
  const [isMoment, setMoment] = useState(false);
  const [wish, setWish] = useState({ takeOver: false, count: 0 });
  const held = useRef<HeldCall | null>(null);
  const listener = useRef({ onSession, onLevel });
  listener.current = { onSession, onLevel };

  useEffect(() => {
    setState(CALLING);
    setMuted(false);
    setMoment(false);
    const call = holdCall(
      { client, sessionId, settings: { microphoneId, patienceMs }, takeOver: wish.takeOver },
      {
        onShown: (shown) => setState({ status: 'held', ...shown }),
        onSession: (view) => listener.current.onSession(view),
        onLevel: (who, level) => listener.current.onLevel(who, level),
        onOver: (reason) => setState({ status: 'over', reason }),
        onFailed: (error) => setState({ status: 'failed', error }),
      },
    );
    held.current = call;
    return () => call.leave();
  }, [client, sessionId, microphoneId, patienceMs, wish]);

  return {
    state,
    isMuted,
    isMoment,
    setMuted: (wanted) => {
      setMuted(wanted);
      held.current?.setMuted(wanted);
    },
    setMoment: (wanted) => {
      setMoment(wanted);
      held.current?.setMoment(wanted);
    },
    end: async () => held.current?.end(),
    again: ({ takeOver } = { takeOver: false }) => setWish(({ count }) => ({ takeOver, count: count + 1 })),
  };
}
