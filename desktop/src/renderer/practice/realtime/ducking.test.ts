import { describe, expect, it } from 'vitest';
import { NOT_DUCKED, afterCoachTurn, nextDuckingState, type DuckingState } from './ducking.ts';

const CHUNK_MS = 40;
const SIGN_BY_VOLUME = { speaks: '-', silent: 's', quieter: 'q' };

function duckOver(sound: string, from = NOT_DUCKED): { volumes: string; after: DuckingState } {
  let finalState = from;
  const volumes = [...sound].map((chunk) => {
    finalState = nextDuckingState(finalState, { isSpeech: chunk === 'v', durationMs: CHUNK_MS });
    return SIGN_BY_VOLUME[finalState.volume];
  });
  return { volumes: volumes.join(''), after: finalState };
}

const ECHO = 'vv........';

describe('ducking of the coach’s voice', () => {
  it('silences the coach within two chunks and resumes after the speech', () => {
    expect(duckOver('..vvvvv............').volumes).toBe('---ssssssssss------');
  });

  it('ignores a click', () => {
    expect(duckOver('..v....v....v..').volumes).toBe('---------------');
  });

  it('stays silent between the syllables of a word', () => {
    expect(duckOver('vv...vv...vv...').volumes).toBe('-ssssssssssssss');
  });

  it('ignores continuous noise, and ducks again after a quiet moment', () => {
    const { volumes, after } = duckOver('v'.repeat(100));
    expect(volumes).toBe(`-${'s'.repeat(48)}${'-'.repeat(51)}`);
    expect(duckOver('vvvvvvvv', afterCoachTurn(after)).volumes).toBe('--------');
    expect(duckOver('.......vvv', after).volumes).toBe('--------ss');
  });

  it('only lowers the volume from the third echo on', () => {
    const { after } = duckOver(ECHO + ECHO);
    expect(duckOver('vvvv........', after).volumes).toBe('-qqqqqqqqq--');
    expect(duckOver('vvvv', afterCoachTurn(duckOver(ECHO, after).after)).volumes).toBe('-qqq');
  });

  it('does not mistake an occasional "mm-hm" for an echo', () => {
    const { after } = duckOver('vvvvvvv........'.repeat(5));
    expect(duckOver('vv', after).volumes).toBe('-s');
    const once = duckOver(`${ECHO}vvvvvvv........${ECHO}`).after;
    expect(duckOver('vv', once).volumes).toBe('-s');
  });
});
