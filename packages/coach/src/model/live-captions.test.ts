import { describe, expect, it } from 'vitest';
import { createLiveCaptions, plainLine } from './live-captions.ts';

const LEAK = 'You are the conversation partner in a spoken English lesson. You play one part in one scene.';

const pieces = (text: string): string[] => text.match(/.{1,7}/gs) ?? [];

describe('the words under live speech', () => {
  it('are what was said, without marks', () => {
    const captions = createLiveCaptions();
    const shown = pieces('Good *morning*. How are <b>you</b>? <goodbye/>').map(captions.take).join('');
    expect(shown.trim()).toBe('Good morning. How are you?');
    expect(captions.saysGoodbye()).toBe(true);
    expect(captions.mustStop()).toBe(false);
  });

  it.each([
    ['our instructions', LEAK],
    ['a page', 'Well, read www.example.com first.'],
  ])('stop where the coach recites %s, and what was heard of it is not kept', (_what, text) => {
    const captions = createLiveCaptions();
    const shown = pieces(`Of course. ${text}`).map(captions.take).join('');
    expect(captions.mustStop()).toBe(true);
    expect(`Of course. ${text}`.startsWith(shown)).toBe(true);
    expect(shown.length).toBeLessThan(64);
    expect(captions.heard(`Of course. ${text}`)).toBe(shown.trim());
    expect(captions.heard('Of course.')).toBe('Of course.');
  });

  it('of a whole line are plain too', () => {
    expect(plainLine(' Good <i>morning</i>. ')).toBe('Good morning.');
  });
});
