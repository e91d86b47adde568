import { describe, expect, it } from 'vitest';
import { NOT_YIELDING, speaksAnew, yieldTo, type Yielding } from './yielding.ts';

const CHUNK_MS = 40;
const SIGNS = { speaks: '-', silent: 's', quieter: 'q' };

function hears(sound: string, from = NOT_YIELDING): { manners: string; after: Yielding } {
  let after = from;
  const manners = [...sound].map((chunk) => {
    after = yieldTo(after, { isSpeech: chunk === 'v', durationMs: CHUNK_MS });
    return SIGNS[after.manner];
  });
  return { manners: manners.join(''), after };
}

const ECHO = 'vv........';

describe('a coach that is spoken over', () => {
  it('is silent within two chunks, and goes on when the voice is over', () => {
    expect(hears('..vvvvv............').manners).toBe('---ssssssssss------');
  });

  it('does not yield to a click', () => {
    expect(hears('..v....v....v..').manners).toBe('---------------');
  });

  it('waits between the syllables of a word', () => {
    expect(hears('vv...vv...vv...').manners).toBe('-ssssssssssssss');
  });

  it('speaks on over a sound that goes on and interrupts nobody, and yields again after it has been quiet', () => {
    const { manners, after } = hears('v'.repeat(100));
    expect(manners).toBe(`-${'s'.repeat(48)}${'-'.repeat(51)}`);
    expect(hears('vvvvvvvv', speaksAnew(after)).manners).toBe('--------');
    expect(hears('.......vvv', after).manners).toBe('--------ss');
  });

  it('that hears itself is only quieter from the third time on', () => {
    const { after } = hears(ECHO + ECHO);
    expect(hears('vvvv........', after).manners).toBe('-qqqqqqqqq--');
    expect(hears('vvvv', speaksAnew(hears(ECHO, after).after)).manners).toBe('-qqq');
  });

  it('does not take a learner for its echo who says "mm-hm" now and then', () => {
    const { after } = hears('vvvvvvv........'.repeat(5));
    expect(hears('vv', after).manners).toBe('-s');
    const once = hears(`${ECHO}vvvvvvv........${ECHO}`).after;
    expect(hears('vv', once).manners).toBe('-s');
  });
});
