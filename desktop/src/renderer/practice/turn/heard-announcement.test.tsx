import { i18n } from '@parley/i18n';
import { I18nProvider } from '@lingui/react';
import type { WaitingTurn } from '@parley/contract';
import { RecordingId, TurnId } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HeardAnnouncement } from './heard-announcement.tsx';

const said = (waiting: WaitingTurn | null): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <HeardAnnouncement waiting={waiting} />
    </I18nProvider>,
  );

const recorded = {
  turnId: TurnId.parse('019aa000-0000-7000-8000-000000000001'),
  recordingId: RecordingId.parse('019aa000-0000-7000-8000-000000000002'),
  isInterrupted: false,
};

it('is a live region before there is anything to say', () => {
  expect(said(null)).toMatch(/^<p [^>]*aria-live="polite"[^>]*><\/p>$/);
});

it('says what was heard, in English, and that it has no score', () => {
  const waiting: WaitingTurn = { ...recorded, status: 'not_scored', text: 'I finished it.', candidates: [] };
  expect(said(waiting)).toContain('We heard: <span lang="en">I finished it.</span> Pronunciation: not measured.');
});

it('leaves the question to the card that asks what was said', () => {
  const waiting: WaitingTurn = { ...recorded, status: 'not_recognised', candidates: ['Yes.'], failure: null };
  expect(said(waiting)).toBe(said(null));
});
