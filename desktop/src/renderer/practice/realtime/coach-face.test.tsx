import { ORPCError } from '@orpc/client';
import { CoachId } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CoachFace, coachFaceState, type CoachFaceProps, type CoachFaceState } from './coach-face.tsx';

const COACH: CoachFaceProps['coach'] = {
  agentId: CoachId.parse('00000000-0000-4000-8000-000000000001'),
  name: 'Grace',
  avatarUrl: '',
  communicationStyle: '',
  characterTraits: [],
  skills: [],
  voice: { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 },
};

const rendered = (state: CoachFaceState): string =>
  renderToStaticMarkup(<CoachFace coach={COACH} state={state} ring={{ current: null }} />);
const announced = (state: CoachFaceState): string =>
  /role="status">(.*?)<\/span>/.exec(rendered(state))?.[1] ?? 'no status';

describe('what a screen reader says in a call', () => {
  it.each([
    ['coach', 'Grace is speaking'],
    ['learner', 'Listening to you'],
    ['thinking', 'Grace is thinking'],
    ['none', 'Listening'],
  ] as const)('does not include who speaks: %s', (state, sentence) => {
    expect(rendered(state)).toContain(sentence);
    expect(announced(state)).toBe('');
  });

  it.each([
    ['calling', 'Calling Grace'],
    ['again', 'Connection lost'],
    ['moment', 'Grace is waiting'],
    ['muted', 'You’re muted'],
    ['over', 'The call is over'],
  ] as const)('includes how the call goes: %s', (state, sentence) => {
    expect(announced(state)).toContain(sentence);
  });
});

it('draws who speaks as bars, which a screen reader skips', () => {
  const [before = '', bars = ''] = rendered('coach').split('<svg');
  expect(before).toContain('data-facing="coach"');
  expect(bars).toMatch(/^[^>]*aria-hidden="true"/);
  // One path, so that a level restyles one element and not one for each bar.
  expect(bars.match(/<path/g)).toHaveLength(1);
  expect(bars.match(/M/g)?.length).toBeGreaterThan(60);
});

describe('a call that another window or device holds', () => {
  const shown = (code: string): string =>
    announced(
      coachFaceState({
        state: { status: 'failed', error: new ORPCError(code), hasSpoken: false } as never,
        isOnHold: false,
        isMuted: false,
      }),
    );

  it('is said to be this one only if it is known to be', () => {
    expect(shown('live.other_window')).toBe('This call is open in another window.');
    // The other device may be in a call about another practice.
    expect(shown('live.elsewhere')).toBe('Not connected.');
  });
});
