/** Loads the two voices that are compared: the model with its measurements, and the learner's recording. */
import { MAX_SHADOWING_CHARACTERS, MODEL_VOICE, type ShadowingModel } from '@parley/contract';
import type { RecordingId } from '@parley/domain';
import { skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSpeaker, wavEnvelope } from '../../audio/index.ts';
import { useHost } from '../../foundation/host/host-context.tsx';

export const BIN_MS = 20;

export interface VoiceSound {
  wav: Blob;
  /** The loudness of each interval of `BIN_MS`, from 0 to 1. */
  levels: number[];
}

export interface ModelVoice extends VoiceSound {
  track: ShadowingModel;
}

const toSound = async (wav: Blob): Promise<VoiceSound> => ({
  wav,
  levels: wavEnvelope(await wav.arrayBuffer(), BIN_MS),
});

/** A longer text is read by the model, but not compared with it. */
export const canBeCompared = (text: string): boolean => text.trim().length <= MAX_SHADOWING_CHARACTERS;

export function useModelVoice(text: string): UseQueryResult<ModelVoice> {
  const { client } = useHost();
  const speaker = useSpeaker();
  return useQuery({
    queryKey: ['shadowing-model', text],
    queryFn: async () => {
      const sound = await toSound(await speaker.synthesiseModel(text));
      return { ...sound, track: await client.shadowing.model({ text, voice: MODEL_VOICE }) };
    },
  });
}

export function useOwnVoice(recordingId: RecordingId | null): UseQueryResult<VoiceSound> {
  const { client } = useHost();
  return useQuery({
    queryKey: ['shadowing-own', recordingId],
    queryFn: recordingId === null ? skipToken : async () => toSound(await client.recordings.read({ recordingId })),
  });
}
