/**
 * Maps a coach's voice to Flite's parameters. Flite has three natural speakers. Reading a speaker's samples faster or
 * slower shifts its pitch and resonances together, like a smaller or larger speaker, so that each coach has a distinct
 * voice.
 */
import type { CoachVoice } from '@parley/domain';
import { spokenText } from '@parley/speech';

type Speaker = 'slt' | 'rms' | 'awb';

/** Natural pitch in hertz of the only speaker whose pitch Flite can change. */
const SLT_PITCH_HZ = 170;
/** Larger changes no longer sound like a person. */
const SIZE = { min: 0.82, max: 1.2 };

/** Locales for which the Scottish speaker is used; the others are spoken by an American. */
const BRITISH = /-(?:GB|AU|NZ|IE|ZA)$/;

function speakerFor(voice: CoachVoice): Speaker {
  if (voice.gender === 'female') return 'slt';
  return BRITISH.test(voice.locale) ? 'awb' : 'rms';
}

export interface FliteRequest {
  /** All arguments except the output file. */
  args: string[];
  /** The factor by which the samples are read faster than they were made, without changing the tempo. */
  size: number;
}

/** `rate` multiplies the voice's own tempo. */
export function fliteRequest(request: { text: string; voice: CoachVoice; rate: number }): FliteRequest {
  const { voice } = request;
  const speaker = speakerFor(voice);
  const isPitched = speaker === 'slt';
  // Half of an increase in pitch comes from a smaller speaker where Flite can do the rest.
  const size = Math.min(SIZE.max, Math.max(SIZE.min, isPitched ? Math.sqrt(voice.pitch) : voice.pitch));
  const stretch = size / (request.rate * voice.rate);
  const pitch = isPitched ? ['--setf', `int_f0_target_mean=${((SLT_PITCH_HZ * voice.pitch) / size).toFixed(1)}`] : [];
  return {
    args: [
      '-voice',
      speaker,
      '--setf',
      `duration_stretch=${stretch.toFixed(3)}`,
      ...pitch,
      '-t',
      toPlainText(request.text),
    ],
    size,
  };
}

/**
 * Flite reads plain text, so typographic characters are replaced. Numbers and symbols are spelt out as the scorer
 * expects them.
 */
const toPlainText = (text: string): string =>
  spokenText(text)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”«»"]/g, ' ')
    .replaceAll(/[–—]/g, ', ')
    .replaceAll('…', '... ')
    .replaceAll(/\s+/g, ' ')
    .trim();
