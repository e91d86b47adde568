import type { HistoryItem } from '@parley/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SessionDetails } from './history-screen.tsx';

it('marks omissions in an excerpt only where text was left out', () => {
  const item = { excerpt: 'Good morning. The parcel is late…' } as HistoryItem;
  expect(renderToStaticMarkup(<SessionDetails item={item} />)).toBe(
    '<span lang="en">Good morning. The parcel is late…</span>',
  );
});

it('rounds minutes as Progress does', () => {
  const item = { excerpt: null, durationS: 88, startedAt: new Date(0), coachName: 'Mia' } as HistoryItem;
  expect(renderToStaticMarkup(<SessionDetails item={item} />)).toContain(' 2 min ');
});
