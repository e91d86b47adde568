/** Is this microphone good enough to be scored on? Says so, and what to do when it is not. */
import type { MicrophoneReport } from '@parley/contract';
import { assertNever, ok } from '@parley/domain';
import { decodePcm16, inspectAudio } from '@parley/speech';
import { type Answer, failed } from '../answer/index.ts';

const MAX_CHECK_BYTES = 2 * 16_000 * 30;

function hintFor(verdict: MicrophoneReport['verdict']): string {
  switch (verdict) {
    case 'good':
      return 'Your voice is clear. You are ready to practise.';
    case 'noisy':
      return 'There is noise behind your voice. Move somewhere quieter, or use a headset.';
    case 'too_quiet':
      return 'Your voice is very quiet. Move closer to the microphone, or turn up its level in your system settings.';
    case 'clipped':
      return 'Your voice is too loud for the microphone. Move back a little, or turn its level down.';
    case 'silent':
      return 'We heard nothing. Check that the right microphone is chosen and that it is not muted.';
    default:
      return assertNever(verdict);
  }
}

/** Takes 16-bit PCM at 16 kHz, up to 30 seconds. */
export async function checkMicrophone(pcm: Blob): Promise<Answer<MicrophoneReport>> {
  if (pcm.size > MAX_CHECK_BYTES) return failed('request.too_large', { field: 'pcm' });
  if (pcm.size % 2 !== 0) return failed('audio.invalid', { field: 'pcm' });
  const report = inspectAudio(decodePcm16(new Uint8Array(await pcm.arrayBuffer())));
  return ok({
    verdict: report.verdict,
    hint: hintFor(report.verdict),
    levelDb: report.levelDb,
    snrDb: report.snrDb,
  });
}
