/** Checks whether a microphone is good enough for scoring. */
import type { MicrophoneReport } from '@parley/contract';
import { ok } from '@parley/domain';
import { decodePcm16, isSteadySound, withoutHum } from '@parley/speech';
import { type HostResult, failed } from '../result/index.ts';

const MAX_CHECK_BYTES = 2 * 16_000 * 30;

/** Expects 16-bit PCM at 16 kHz, at most 30 seconds. */
export async function checkMicrophone(pcm: Blob): Promise<HostResult<MicrophoneReport>> {
  if (pcm.size > MAX_CHECK_BYTES) return failed('request.too_large', { field: 'pcm' });
  if (pcm.size % 2 !== 0) return failed('audio.invalid', { field: 'pcm' });
  const { pcm: usable, report } = withoutHum(decodePcm16(new Uint8Array(await pcm.arrayBuffer())));
  // Hum that begins during the check stands out from the silence before it, as a voice does.
  return ok({ verdict: report.verdict === 'good' && isSteadySound(usable, report) ? 'noisy' : report.verdict });
}
