import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CoachSpeaking, type CoachSpeakingProps } from './coach-speaking.tsx';

const said = (props: Pick<CoachSpeakingProps, 'status' | 'isSpoken'>): string =>
  renderToStaticMarkup(<CoachSpeaking coachName="Grace" onInterrupt={null} {...props} />);

it('says that the coach speaks only once the coach does', () => {
  expect(said({ status: 'thinking', isSpoken: true })).toContain('Grace is thinking');
  expect(said({ status: 'speaking', isSpoken: true })).toContain('Grace is speaking.');
  expect(said({ status: 'speaking', isSpoken: false })).toContain('Grace is answering');
  expect(said({ status: 'loading', isSpoken: true })).toContain('as soon as the model is loaded');
});
