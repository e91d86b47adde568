import { describe, expect, it } from 'vitest';
import { NOT_YIELDING, yieldTo, type Yielding } from './yielding.ts';

const CHUNK_MS = 40;

/** When it yields, chunk by chunk: `v` is voice, `.` is none. */
function yields(sound: string): string {
  let state: Yielding = NOT_YIELDING;
  return [...sound]
    .map((chunk) => {
      state = yieldTo(state, { isSpeech: chunk === 'v', durationMs: CHUNK_MS });
      return state.isYielding ? 'y' : '-';
    })
    .join('');
}

describe('a coach that is spoken over', () => {
  it('yields within two chunks, and speaks up again when the voice is over', () => {
    expect(yields('..vvvvv..............')).toBe('---yyyyyyyyyyyyy-----');
  });

  it('does not yield to a click', () => {
    expect(yields('..v....v....v..')).toBe('---------------');
  });

  it('goes on yielding between the syllables of a word', () => {
    expect(yields('vv...vv...vv....')).toBe('-yyyyyyyyyyyyyyy');
  });
});
