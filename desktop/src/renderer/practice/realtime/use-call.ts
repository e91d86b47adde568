/** Runs a call for as long as its screen is mounted. */
import type { DeviceSettings, SessionView } from '@parley/contract';
import { useEffect, useRef, useState } from 'react';
import { useSpeaker } from '../../audio/index.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { useSystemSleep } from '../../foundation/sleep/system-sleep.ts';
import { type CallListener, type CallController, createCallController } from './call-controller.ts';
import { CALL_START, type CallEndReason, type CallView } from './call-reducer.ts';

export type CallState =
  ({ status: 'active' } & CallView) | { status: 'over'; reason: CallEndReason } | { status: 'failed'; error: unknown };

export interface Call {
  state: CallState;
  isMuted: boolean;
  isOnHold: boolean;
  setMuted: (isMuted: boolean) => void;
  setOnHold: (isOnHold: boolean) => void;
  /** Resolves when the host has all of the audio. */
  end: () => Promise<void>;
  /** Calls again after the call ended or failed; `takeOver` moves it here from another device. */
  reconnect: (options?: { takeOver: boolean }) => void;
}

const CONNECTING: CallState = { status: 'active', ...CALL_START.view };

export function useCall(
  session: SessionView,
  settings: DeviceSettings,
  { onSession, onLevel }: Pick<CallListener, 'onSession' | 'onLevel'>,
): Call {
  const { client } = useHost();
  const { cue } = useSpeaker();
  const { sessionId } = session;
  const { microphoneId, patienceMs, noiseSuppression, autoGainControl } = settings;
  // Without this, the microphone would pick up the coach.
  const echoCancellation = true;
  const [state, setState] = useState<CallState>(CONNECTING);
  const [isMuted, setMuted] = useState(false);
  const [isOnHold, setOnHold] = useState(false);
  const [attempt, setAttempt] = useState({ takeOver: false, count: 0 });
  const controller = useRef<CallController | null>(null);
  const listener = useRef({ onSession, onLevel });
  listener.current = { onSession, onLevel };

  useEffect(() => {
    setState(CONNECTING);
    setMuted(false);
    setOnHold(false);
    const call = createCallController(
      {
        client,
        sessionId,
        settings: { microphoneId, patienceMs, processing: { echoCancellation, noiseSuppression, autoGainControl } },
        takeOver: attempt.takeOver,
        cue,
      },
      {
        onView: (shown) => setState({ status: 'active', ...shown }),
        onSession: (view) => listener.current.onSession(view),
        onLevel: (who, level) => listener.current.onLevel(who, level),
        onEnded: (reason) => setState({ status: 'over', reason }),
        onFailed: (error) => setState({ status: 'failed', error }),
      },
    );
    controller.current = call;
    return () => call.leave();
  }, [client, sessionId, microphoneId, patienceMs, echoCancellation, noiseSuppression, autoGainControl, attempt, cue]);

  useSystemSleep(state.status === 'active', () => controller.current?.sleep());

  return {
    state,
    isMuted,
    isOnHold,
    setMuted: (wanted) => {
      setMuted(wanted);
      controller.current?.setMuted(wanted);
    },
    setOnHold: (wanted) => {
      setOnHold(wanted);
      controller.current?.setOnHold(wanted);
    },
    end: async () => controller.current?.end(),
    reconnect: ({ takeOver } = { takeOver: false }) => setAttempt(({ count }) => ({ takeOver, count: count + 1 })),
  };
}
