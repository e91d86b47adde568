/** A coach's voice in Flite's terms: one of its speakers, how fast, how high. */
import type { CoachVoice } from '@parley/domain';

type Speaker = 'slt' | 'rms' | 'awb';

/** The natural pitch of the one speaker whose pitch Flite can move, in hertz. */
const SLT_PITCH_HZ = 170;

function speakerFor(voice: CoachVoice): Speaker {
  if (voice.gender === 'female') return 'slt';
  return voice.locale === 'en-GB' ? 'awb' : 'rms';
}

/** Everything but the output file. `rate` multiplies the voice's own speed. */
export function fliteArguments(wish: { text: string; voice: CoachVoice; rate: number }): string[] {
  const speaker = speakerFor(wish.voice);
  const stretch = 1 / (wish.rate * wish.voice.rate);
  const pitch = speaker === 'slt' ? ['--setf', `int_f0_target_mean=${SLT_PITCH_HZ * wish.voice.pitch}`] : [];
  return ['-voice', speaker, '--setf', `duration_stretch=${stretch.toFixed(3)}`, ...pitch, '-t', readable(wish.text)];
}

/** Flite reads plain text: typographic marks become what it knows. */
const readable = (text: string): string =>
  text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”«»"]/g, ' ')
    .replaceAll(/[–—]/g, ', ')
    .replaceAll('…', '... ')
    .replaceAll(/\s+/g, ' ')
    .trim();
