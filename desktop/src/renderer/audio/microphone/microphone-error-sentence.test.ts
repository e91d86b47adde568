import { expect, it } from 'vitest';
import { microphoneDeniedSentence } from './microphone-error-sentence.ts';

it.each([
  ['a browser', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0', /^Allow the microphone for this page/],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) Parley/1.0 Electron/40.0', /^Allow it in your system settings\. /],
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Parley/1.0 Electron/40.0', /under Privacy, Microphone/],
  ['macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Parley/1.0 Electron/40.0', /under Privacy, Microphone/],
])('says where the microphone is allowed in %s', (_where, userAgent, sentence) => {
  expect(microphoneDeniedSentence(userAgent)).toMatch(sentence);
});
