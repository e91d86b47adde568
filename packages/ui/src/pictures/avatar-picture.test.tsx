import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Avatar } from './avatar-picture.tsx';

const shown = (imageUrl: string | null, [firstName, lastName]: [string | null, string | null]): string =>
  renderToStaticMarkup(<Avatar firstName={firstName} lastName={lastName} imageUrl={imageUrl} />);

const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, '');

it('shows the picture', () => {
  expect(shown('data:image/webp;base64,AAAA', ['Mina', 'Diallo'])).toContain('src="data:image/webp;base64,AAAA"');
});

it.each([
  [['Mina', 'Diallo'], 'MD'],
  [['émile', null], 'É'],
  [[' ', 'Sato'], 'S'],
  [[null, null], ''],
] as const)('shows the initials of %j without a picture', (name, initials) => {
  expect(textOf(shown(null, [...name]))).toBe(initials);
});

it('loads nothing from the network', () => {
  const html = shown('https://example.com/mina.png', ['Mina', 'Diallo']);
  expect(html).not.toContain('<img');
  expect(textOf(html)).toBe('MD');
});
