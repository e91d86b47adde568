import { describe, expect, it } from 'vitest';
import { createCaptionGate, plainUtterance } from './caption-gate.ts';

const LEAK = 'You are the conversation partner in a spoken English lesson. You play one part in one scene.';

const pieces = (text: string): string[] => text.match(/.{1,7}/gs) ?? [];

describe('live captions', () => {
  it('show the words without markers', () => {
    const captions = createCaptionGate();
    const shown = pieces('Good *morning*. How are <b>you</b>? <goodbye/>').map(captions.take).join('');
    expect(shown.trim()).toBe('Good morning. How are you?');
    expect(captions.hasEndMarker()).toBe(true);
    expect(captions.mustInterrupt()).toBe(false);
  });

  it.each([
    ['our prompt', LEAK],
    ['a web page', 'Well, read www.example.com first.'],
  ])('stop when the coach recites %s, and do not keep the heard part', (_what, text) => {
    const captions = createCaptionGate();
    const shown = pieces(`Of course. ${text}`).map(captions.take).join('');
    expect(captions.mustInterrupt()).toBe(true);
    expect(`Of course. ${text}`.startsWith(shown)).toBe(true);
    expect(shown.length).toBeLessThan(64);
    expect(captions.storableText(`Of course. ${text}`)).toBe(shown.trim());
    expect(captions.storableText('Of course.')).toBe('Of course.');
  });

  it('strip markers from a complete utterance', () => {
    expect(plainUtterance(' Good <i>morning</i>. ')).toBe('Good morning.');
  });
});
