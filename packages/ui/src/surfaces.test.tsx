import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Skeleton } from './surfaces.tsx';

it('says what is waited for and why as a text, not only to screen readers', () => {
  const html = renderToStaticMarkup(<Skeleton label="Loading practices" reason="There is a lot to read." />);
  expect(html).toContain('role="status"');
  expect(html).not.toContain('aria-label');
  expect(html).toMatch(/>Loading practices <span>There is a lot to read.<\/span>/);
});
