import type { SessionView } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { captionLines } from './caption-lines.ts';

const turn = (role: 'coach' | 'learner', text: string) => ({ role, text }) as SessionView['turns'][number];
const QUESTION = turn('coach', 'What happened?');
const ANSWER = turn('learner', 'The truck broke down.');

describe('the captions of a call', () => {
  it('show the coach’s current words below the learner’s last turn', () => {
    expect(captionLines({ turns: [turn('coach', 'Hello.'), ANSWER], words: 'And when' })).toEqual([
      { who: 'learner', text: 'The truck broke down.' },
      { who: 'coach', text: 'And when' },
    ]);
  });

  it('show the stored question until the coach speaks in this window', () => {
    expect(captionLines({ turns: [ANSWER, QUESTION], words: '' })).toEqual([
      { who: 'learner', text: 'The truck broke down.' },
      { who: 'coach', text: 'What happened?' },
    ]);
  });

  it('keep the order of the turns', () => {
    expect(captionLines({ turns: [QUESTION, ANSWER], words: '' })).toEqual([
      { who: 'coach', text: 'What happened?' },
      { who: 'learner', text: 'The truck broke down.' },
    ]);
  });

  it('are empty before the first turn', () => {
    expect(captionLines({ turns: [], words: '' })).toEqual([]);
  });
});
