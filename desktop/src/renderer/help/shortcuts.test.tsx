import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { Shortcuts } from './shortcuts.tsx';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0', ['⌘ K', '⌘ + / −'], /Ctrl/],
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0', ['Ctrl K', 'Ctrl + / −'], /⌘/],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', ['Ctrl K', 'Ctrl + / −'], /⌘/],
])('names the keys of %s', (_system, userAgent, keys, others) => {
  vi.stubGlobal('navigator', { userAgent });
  const html = renderToStaticMarkup(<Shortcuts />);
  for (const key of keys) expect(html).toContain(`<kbd>${key}</kbd>`);
  expect(html).not.toMatch(others);
});
