/** Converts a school's Markdown into HTML. Admins are trusted with words, but not with scripts. */
import { LRUCache } from 'lru-cache';
import { Marked } from 'marked';
import sanitizeHtml from 'sanitize-html';
import { isMarkdownTooComplex, mediaIdOf } from '@parley/domain';
import type { PictureSizes } from '../../media/index.ts';
import { DomainError } from '../../domain-error.ts';
import { Html, html } from '../../web/html.ts';

const marked = new Marked({ gfm: true, async: false });

export interface ShownPictures {
  /** An uploaded picture gets its size, unless the author has specified another. */
  sizes: PictureSizes;
  /** The query parameter with which the server serves them. */
  query?: URLSearchParams;
}

const policyFor = (pictures: ShownPictures): sanitizeHtml.IOptions => ({
  allowedTags: [
    'h2',
    'h3',
    'h4',
    'p',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'strong',
    'em',
    'del',
    'a',
    'img',
    'hr',
    'br',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'decoding'],
    // A numbered list continues after a heading, for example with the sentences of a phone call.
    ol: ['start'],
    td: ['align'],
    th: ['align'],
  },
  allowedSchemes: ['https', 'http', 'mailto'],
  // The pages' content policy loads pictures from this server only.
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  transformTags: {
    // A page has one top-level heading, its title.
    h1: 'h2',
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener' } }),
    img: (tagName, attribs) => ({
      tagName,
      attribs: { alt: '', ...describeUpload(onlySizesInPixels(attribs), pictures), loading: 'lazy', decoding: 'async' },
    }),
  },
});

/** With its size known, a picture does not move the text below it when it arrives. */
function onlySizesInPixels({ width, height, ...others }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const isSized = [width, height].every((size) => /^[1-9]\d{0,3}$/.test(size ?? ''));
  return isSized ? { ...others, width: width ?? '', height: height ?? '' } : others;
}

function describeUpload(attribs: sanitizeHtml.Attributes, { sizes, query }: ShownPictures): sanitizeHtml.Attributes {
  const { src = '' } = attribs;
  const size = sizes.get(mediaIdOf(src) ?? '');
  if (size === undefined) return attribs;
  return {
    width: String(size.width),
    height: String(size.height),
    ...attribs,
    src: query === undefined ? src : `${src}?${query.toString()}`,
  };
}

const MAX_CACHED_CHARACTERS = 8_000_000;

/** Rendering a long post takes longer than everything else that its page needs. */
const cache = new LRUCache<string, Html>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: ({ text }, key) => text.length + key.length + 1,
});

export function renderMarkdown(markdown: string, pictures: ShownPictures = { sizes: new Map() }): Html {
  const key = JSON.stringify([...pictures.sizes, pictures.query?.toString()]) + markdown;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const html = render(markdown, pictures);
  cache.set(key, html);
  return html;
}

/** Does not use the cache, because the drafts that typing produces would evict the posts that are read. */
export function renderDraft(markdown: string, pictures: ShownPictures = { sizes: new Map() }): Html {
  if (isMarkdownTooComplex(markdown)) throw new DomainError('request.invalid', { field: 'text' });
  return render(markdown, pictures);
}

function render(markdown: string, pictures: ShownPictures): Html {
  // Such a text can be older than the check on publishing, and showing its words is better than an error page.
  if (isMarkdownTooComplex(markdown)) return html`<p>${markdown}</p>`;
  const rendered = marked.parse(markdown);
  if (typeof rendered !== 'string') throw new Error('marked is configured to be synchronous.');
  return new Html(sanitizeHtml(rendered, policyFor(pictures)));
}
