import { expect, it } from 'vitest';
import { DomainError } from '../../domain-error.ts';
import { renderDraft, renderMarkdown } from './render-markdown.ts';

it('renders a text once, however often it is read', () => {
  const text = `# A post\n\n${'Words. '.repeat(1_000)}`;
  const first = renderMarkdown(text);
  expect(first.text).toContain('<h2>A post</h2>');
  expect(renderMarkdown([...text].join(''))).toBe(first);
  expect(renderMarkdown(`${text}!`)).not.toBe(first);
});

it('continues the numbers of a list that was interrupted', () => {
  expect(renderMarkdown('1. One\n2. Two\n\n## Then\n\n3. Three').text).toContain('<ol start="3">');
});

it('keeps the size of a picture, and loads it when it is needed', () => {
  const sized = renderMarkdown('<img src="/media/a.png" alt="A" width="600" height="315" loading="eager">').text;
  expect(sized).toContain(
    '<img alt="A" src="/media/a.png" loading="lazy" width="600" height="315" decoding="async" />',
  );
  for (const size of ['width="600"', 'width="9999999" height="1"', 'width="100%" height="10"'])
    expect(renderMarkdown(`<img src="/media/a.png" ${size}>`).text).not.toMatch(/width|height/);
});

it('drops texts from its cache that were not read for long', () => {
  const texts = Array.from({ length: 6 }, (_, nr) => `${nr} ${'word '.repeat(200_000)}`);
  const first = renderMarkdown(texts[0] ?? '');
  for (const text of texts) renderMarkdown(text);
  expect(renderMarkdown(texts[0] ?? '')).not.toBe(first);
});

it('does not cache drafts, because typing creates many', () => {
  const draft = 'A sentence that is being';
  expect(renderDraft(draft).text).toBe('<p>A sentence that is being</p>\n');
  expect(renderDraft(draft)).not.toBe(renderDraft(draft));
});

it('refuses a draft that is nested too deeply to be read', () => {
  expect(() => renderDraft('>'.repeat(5_000))).toThrow(new DomainError('request.invalid', { field: 'text' }));
});

it('shows the words of a stored text that no parser can take', () => {
  expect(renderMarkdown(`${'>'.repeat(5_000)} a <b>`).text).toContain('a &lt;b&gt;</p>');
});
