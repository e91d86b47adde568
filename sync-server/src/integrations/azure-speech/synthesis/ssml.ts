/** Builds SSML for a coach's utterance, with the text escaped so that it cannot act as markup. */
import type { CoachVoice } from '@parley/domain';
import { neuralVoice } from './voices.ts';

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 does not allow even when escaped: most control characters (its production `Char`). */
const INVALID_XML_CHARACTERS = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A lone surrogate, which cutting text inside an emoji leaves, becomes the replacement character. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(INVALID_XML_CHARACTERS, '')
    .replace(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? '');

/**
 * A factor of 1 is the voice's own value; SSML percentages are relative to it (Microsoft Learn, "Customize voice and sound with SSML",
 * prosody).
 */
function toRelativePercent(factor: number): string {
  const percent = Math.round((factor - 1) * 100);
  return `${percent < 0 ? '' : '+'}${percent}%`;
}

export function toSsml(text: string, voice: CoachVoice): string {
  const name = neuralVoice(voice);
  const locale = name.slice(0, 'en-US'.length);
  const prosody = `rate="${toRelativePercent(voice.rate)}" pitch="${toRelativePercent(voice.pitch)}"`;
  const voiceElement = `<voice name="${name}"><prosody ${prosody}>${escapeXml(text)}</prosody></voice>`;
  return `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${locale}">${voiceElement}</speak>`;
}
