/** A coach's line as SSML: the voice, its speed and its pitch, and a text that can mean nothing but itself. */
import type { CoachVoice } from '@parley/domain';
import { neuralVoice } from './voices.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** What XML 1.0 has no place for, not even escaped: most control characters (its production `Char`). */
const NOT_XML = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Half a character, as a cut in the middle of an emoji leaves it, becomes the sign for an unreadable one. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** 1 is the voice's own; a percentage is relative to it (Microsoft Learn, "Customize voice and sound with SSML", prosody). */
function relative(factor: number): string {
  const percent = Math.round((factor - 1) * 100);
  return `${percent < 0 ? '' : '+'}${percent}%`;
}

export function ssmlOf(text: string, voice: CoachVoice): string {
  const name = neuralVoice(voice);
  const locale = name.slice(0, 'en-US'.length);
  const prosody = `rate="${relative(voice.rate)}" pitch="${relative(voice.pitch)}"`;
  const said = `<voice name="${name}"><prosody ${prosody}>${escapeXml(text)}</prosody></voice>`;
  return `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${locale}">${said}</speak>`;
}
