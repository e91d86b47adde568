/** Speaks with a voice of this computer: the system's, or the bundled one when the system has no English voice or another output device was chosen. */
import type { CoachVoice } from '@parley/domain';
import { chooseVoice, loadVoices, speakWithSystemVoice } from '@parley/ui/voices';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import { outputDevice } from '../output/output-device.ts';
import { playWav } from './play-wav.ts';

export interface LocalSpeechRequest {
  text: string;
  voice: CoachVoice;
  /** 1 is the normal speed. */
  rate: number;
  signal: AbortSignal;
}

const BUNDLED_RATES = { min: 0.4, max: 2 };

/** Resolves when the speech ends or is aborted. */
export async function speakLocally(
  client: HostClient,
  { text, voice, rate, signal }: LocalSpeechRequest,
): Promise<void> {
  // The system's voices can only use the system's default device.
  const isOnDefault = outputDevice().current() === null;
  const systemVoice = isOnDefault ? chooseVoice(await loadVoices(), voice) : null;
  if (systemVoice !== null) return speakWithSystemVoice(systemVoice, { text, voice, rate, signal });
  const { min, max } = BUNDLED_RATES;
  const wav = await client.voice.speak({ text, voice, rate: Math.min(max, Math.max(min, rate)) });
  return playWav(wav, { rate: 1, signal });
}
