/**
 * Picks one of OpenAI's voices for a coach. The voices have no locale, so a locale picks another voice, and newer models are also told
 * the accent.
 */
import type { CoachVoice } from '@parley/domain';

/** `tts-1` supports all of these. */
const VOICES = {
  female: { 'en-GB': 'shimmer', 'en-AU': 'nova', 'en-IN': 'sage', other: 'coral' },
  male: { 'en-GB': 'fable', 'en-AU': 'echo', 'en-IN': 'onyx', other: 'ash' },
} as const;

export function openAiVoice({ gender, locale }: CoachVoice): string {
  const voices: Record<string, string> & { other: string } = VOICES[gender];
  return voices[locale] ?? voices.other;
}

const REGION_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** Returns null when the locale has no region. */
export function accentInstructions({ locale }: CoachVoice): string | null {
  const region = locale.split('-')[1];
  if (region === undefined) return null;
  return `Speak English as it is spoken in ${REGION_NAMES.of(region) ?? region}, clearly, as one does with a learner.`;
}
