import type { HistoryItem } from '@parley/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SessionDetails } from './history-screen.tsx';

it('marks in an excerpt only what was left out of it', () => {
  const item = { excerpt: 'Good morning. The parcel is late…' } as HistoryItem;
  expect(renderToStaticMarkup(<SessionDetails item={item} />)).toBe(
    '<span lang="en">Good morning. The parcel is late…</span>',
  );
});
