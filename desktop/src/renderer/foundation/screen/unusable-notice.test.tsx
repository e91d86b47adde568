import { UNUSABLE_CAUSES, UNUSABLE_REASONS } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { UnusableNotice } from './unusable-notice.tsx';

const render = (problem: Parameters<typeof UnusableNotice>[0]['problem']): string =>
  renderToStaticMarkup(
    <UnusableNotice problem={problem} actions="Say it again" onChooseMicrophone={() => undefined} />,
  );

it('shows the problem, and offers another microphone where that may help', () => {
  const quiet = render({ reason: 'noisy', cause: 'too_quiet' });
  expect(quiet).toContain('<svg');
  expect(quiet).toContain('<h2>Too quiet to score</h2>');
  expect(quiet).toContain('Choose a microphone');
  const loud = render({ reason: 'clipped' });
  expect(loud).toContain('<h2>Too loud to score</h2>');
  expect(loud).toContain('Say it again');
  expect(loud).not.toContain('Choose a microphone');
});

it('gives advice for every reason and cause', () => {
  for (const reason of UNUSABLE_REASONS) {
    expect(render({ reason })).toContain('Say it again');
    for (const cause of UNUSABLE_CAUSES) expect(render({ reason, cause })).toMatch(/role="status"/);
  }
});

it('offers another microphone where the recording has no buttons of its own', () => {
  const choose = <UnusableNotice problem={{ reason: 'silent' }} onChooseMicrophone={() => undefined} />;
  expect(renderToStaticMarkup(choose)).toContain('Choose a microphone');
  expect(renderToStaticMarkup(<UnusableNotice problem={{ reason: 'silent' }} />)).not.toContain('<button');
});
