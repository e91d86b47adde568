/** Lets the learner interrupt a model coach in mid-reply and speak at once. */
import { MAX_HEARD_CHARACTERS, type SessionView } from '@parley/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import type { CoachReply } from './use-coach-reply.ts';
import type { CoachVoice } from './use-coach-voice.ts';

export interface Interruption {
  /** Null while there is nothing to interrupt. */
  interrupt: (() => void) | null;
  error: unknown;
  /** Whether the turn that is beginning records at once; `onRecording` reports when it does. */
  startsRecording: boolean;
  onRecording: () => void;
}

export function useInterruptCoach(
  session: SessionView,
  { reply, voice, onSession }: { reply: CoachReply; voice: CoachVoice; onSession: (session: SessionView) => void },
): Interruption {
  const { client } = useHost();
  const { sessionId } = session;
  const [startsRecording, setStartsRecording] = useState(false);
  const interruption = useMutation({
    mutationFn: (heard: string) => client.practice.interruptCoach({ sessionId, heard }),
    onMutate: voice.silence,
    // The coach continues, so the learner must be able to hear it.
    onError: voice.unsilence,
    onSuccess: (view) => {
      setStartsRecording(view.phase === 'learner_turn');
      onSession(view);
    },
  });
  const turnCount = session.turns.length;
  const { reset } = interruption;
  // An error is about one reply only.
  useEffect(() => reset(), [turnCount, reset]);
  const heard = reply.status === 'speaking' ? reply.words.trim().slice(0, MAX_HEARD_CHARACTERS) : '';
  const isPossible = session.communicationStyle === 'audio' && heard !== '' && !interruption.isPending;
  return {
    interrupt: isPossible ? () => interruption.mutate(heard) : null,
    error: interruption.error,
    startsRecording,
    onRecording: () => setStartsRecording(false),
  };
}
