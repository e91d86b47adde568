import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Avatar } from './avatar-picture.tsx';

const shown = (imageUrl: string | null, [firstName, lastName]: [string | null, string | null], alt?: string): string =>
  renderToStaticMarkup(
    <Avatar firstName={firstName} lastName={lastName} imageUrl={imageUrl} {...(alt === undefined ? {} : { alt })} />,
  );

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

it('shows a person where there is neither a picture nor a name', () => {
  expect(shown(null, [' ', null])).toContain('<svg');
  expect(shown(null, ['Mina', null])).not.toContain('<svg');
});

it('names the picture where it is content, and nowhere else', () => {
  expect(shown('data:image/webp;base64,AAAA', ['Mina', 'Diallo'], 'Your picture')).toContain('alt="Your picture"');
  expect(shown('data:image/webp;base64,AAAA', ['Mina', 'Diallo'])).toContain('alt=""');
});

it('loads nothing from the network', () => {
  const html = shown('https://example.com/mina.png', ['Mina', 'Diallo']);
  expect(html).not.toContain('<img');
  expect(textOf(html)).toBe('MD');
});
