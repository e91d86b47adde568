/** Lets the learner cut a model coach off in mid-reply and speak at once. */
import type { SessionView } from '@parley/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import type { CoachReply } from './use-coach-reply.ts';

export interface Interruption {
  /** Null while there is nothing to interrupt. */
  interrupt: (() => void) | null;
  error: unknown;
  /** Whether the turn that begins now records at once; `onRecording` says that it does. */
  startsRecording: boolean;
  onRecording: () => void;
}

export function useInterruptCoach(
  session: SessionView,
  { reply, silence, onSession }: { reply: CoachReply; silence: () => void; onSession: (session: SessionView) => void },
): Interruption {
  const { client } = useHost();
  const { sessionId } = session;
  const [startsRecording, setStartsRecording] = useState(false);
  const interruption = useMutation({
    mutationFn: (heard: string) => client.practice.interruptCoach({ sessionId, heard }),
    onMutate: silence,
    onSuccess: (view) => {
      setStartsRecording(view.phase === 'learner_turn');
      onSession(view);
    },
  });
  const heard = reply.status === 'speaking' ? reply.words.trim() : '';
  const isPossible = session.communicationStyle === 'audio' && heard !== '' && !interruption.isPending;
  return {
    interrupt: isPossible ? () => interruption.mutate(heard) : null,
    error: interruption.error,
    startsRecording,
    onRecording: () => setStartsRecording(false),
  };
}
