import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Skeleton } from './surfaces.tsx';

it('shows at once what is loading, and the reason only after a while', () => {
  const html = renderToStaticMarkup(<Skeleton label="Loading practices" reason="There is a lot to read." />);
  expect(html).toContain('role="status"');
  expect(html).not.toContain('aria-label');
  expect(html).toContain('>Loading practices</p>');
  expect(html).not.toContain('There is a lot to read.');
});
