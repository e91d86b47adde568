import type { WaitingTurn } from '@parley/contract';
import { RecordingId, TurnId } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HeardTurn } from './heard-turn.tsx';

const said = (waiting: WaitingTurn | null): string =>
  renderToStaticMarkup(<HeardTurn waiting={waiting} isBusy={false} onCorrect={() => undefined} />);

const recorded = {
  turnId: TurnId.parse('019aa000-0000-7000-8000-000000000001'),
  recordingId: RecordingId.parse('019aa000-0000-7000-8000-000000000002'),
  isInterrupted: false,
};

it('renders its live region before it has anything to announce', () => {
  expect(said(null)).toMatch(/^<div [^>]*aria-live="polite"[^>]*><\/div>$/);
});

it('says what was heard, in English, and that it has no score', () => {
  const html = said({ ...recorded, status: 'not_scored', text: 'I finished it.', candidates: [] });
  expect(html).toMatch(/^<div [^>]*aria-live="polite".*We heard.*aria-label="Pronunciation: not measured"/);
  expect(html).toMatch(/<p [^>]*lang="en">I finished it\.<\/p>/);
});

it('says nothing when a card asks what was said', () => {
  const waiting: WaitingTurn = { ...recorded, status: 'not_recognised', candidates: ['Yes.'], failure: null };
  expect(said(waiting)).toBe(said(null));
});

it('announces a draft and that words are uncertain, but no buttons beside it', () => {
  const html = said({
    ...recorded,
    status: 'heard',
    text: 'I fed the sheet.',
    words: [
      { word: 'I', confidence: 0.9, alternatives: [] },
      { word: 'fed', confidence: 0.9, alternatives: [] },
      { word: 'the', confidence: 0.9, alternatives: [] },
      { word: 'sheet.', confidence: 0.4, alternatives: ['sheep'] },
    ],
    assessment: { pron: 80 },
  } as unknown as WaitingTurn);
  const [announced = '', silent] = html.split('aria-live="off"');
  expect(announced.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')).toContain(
    'I fed the sheet. Parley isn’t sure of the marked words.',
  );
  expect(announced).not.toContain('aria-label="“');
  expect(silent).toContain('Correct the words');
});
