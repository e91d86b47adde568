/** The list of posts, and a post. */
import { type DocumentOf, readingMinutes, type SchoolIdentity } from '@parley/domain';
import { type Html, html } from '../../web/html.ts';
import { renderDraft, renderMarkdown, type ShownPictures } from './render-markdown.ts';
import type { ListedPost, Post, PostSummary } from './read-posts.ts';
import type { SitePage } from '../pages/site-layout.ts';
import type { SiteWords } from '../pages/site-words.ts';

export const POSTS_A_PAGE = 12;

export const postPath = (slug: string): string => `/blog/${encodeURIComponent(slug)}`;

/** The address changes with the post, so that caches drop a former picture. */
const coverPath = ({ slug, updatedAt }: Pick<PostSummary, 'slug' | 'updatedAt'>, file: string): string =>
  `${postPath(slug)}/${file}?v=${updatedAt.getTime()}`;

export interface BlogList {
  posts: readonly ListedPost[];
  /** Pages are counted from 1. */
  number: number;
  /** The number of posts on all pages together. */
  count: number;
  /** Null for the list of all posts. */
  tag: string | null;
}

export const tagPath = (tag: string): string => `/tags/${encodeURIComponent(tag)}`;

export function blogPage(words: SiteWords, { posts, number, count, tag }: BlogList): SitePage {
  const { t, linkTo } = words;
  const last = Math.max(1, Math.ceil(count / POSTS_A_PAGE));
  const first = tag === null ? '/blog' : tagPath(tag);
  const title = tag === null ? t('Blog') : t('Posts about {tag}', { tag });
  const description =
    tag === null
      ? t('How to speak English at work with less fear, and how Parley listens.')
      : t('Everything on our blog about {tag}.', { tag });
  return {
    title: number === 1 ? title : t('{title}, page {number}', { title, number }),
    description,
    path: number === 1 ? first : `${first}?page=${number}`,
    body: html`<div class="hero">
        ${tag === null ? null : html`<p class="small two"><a href="${linkTo('/blog')}">${t('Blog')}</a></p>`}
        <h1>${tag === null ? t('Read, then say it') : title}</h1>
        <p class="lead">${description}</p>
      </div>
      <section>
        ${posts.length === 0 ? html`<p class="two">${t('Nothing has been published yet.')}</p>` : postList(words, posts, { areFirst: number === 1 })}
        ${last === 1 ? null : pages(words, { first, number, last })}
      </section>`,
  };
}

function pages(
  { t, linkTo }: SiteWords,
  { first, number, last }: { first: string; number: number; last: number },
): Html {
  return html`<nav class="actions" aria-label="${t('Pages')}">
    ${number > 1 ? html`<a class="button second" rel="prev" href="${linkTo(number === 2 ? first : `${first}?page=${number - 1}`)}">${t('Newer posts')}</a>` : null}
    ${number < last ? html`<a class="button second" rel="next" href="${linkTo(`${first}?page=${number + 1}`)}">${t('Older posts')}</a>` : null}
  </nav>`;
}

/** Pictures above the fold are not lazy, because they would arrive late. */
const postList = (words: SiteWords, posts: readonly ListedPost[], { areFirst }: { areFirst: boolean }): Html =>
  html`<ul class="posts">
    ${posts.map(
      (post, index) =>
        html`<li>
          <img
            src="${coverPath(post, 'cover-small.png')}"
            alt=""
            width="600"
            height="315"
            loading="${areFirst && index < 3 ? 'eager' : 'lazy'}"
            fetchpriority="${areFirst && index === 0 ? 'high' : 'auto'}"
          />
          <h2 lang="en" dir="auto"><a href="${words.linkTo(postPath(post.slug))}">${post.title}</a></h2>
          <p class="small two">
            <time datetime="${post.publishedAt.toISOString()}">${words.formatDay(post.publishedAt, 'UTC')}</time> ·
            ${words.t('{minutes} min', { minutes: post.minutes })}
          </p>
          <p class="two" lang="en" dir="auto">${post.excerpt}</p>
          ${post.tags.length === 0 ? null : tagList(words, post.tags)}
        </li>`,
    )}
  </ul>`;

export interface ShownPost {
  school: SchoolIdentity;
  origin: string;
  related: readonly ListedPost[];
  pictures: ShownPictures;
}

export function postPage(words: SiteWords, post: Post, { school, origin, related, pictures }: ShownPost): SitePage {
  const { t, formatDay, linkTo } = words;
  const path = postPath(post.slug);
  const picture = coverPath(post, 'cover.png');
  return {
    title: post.title,
    description: post.excerpt,
    path,
    type: 'article',
    isTranslated: false,
    picture,
    data: {
      '@context': 'https://schema.org',
      '@type': 'BlogPosting',
      headline: post.title,
      description: post.excerpt,
      datePublished: post.publishedAt.toISOString(),
      dateModified: post.updatedAt.toISOString(),
      author:
        post.author === null
          ? { '@type': 'Organization', name: school.name, url: `${origin}/` }
          : { '@type': 'Person', name: post.author },
      image: `${origin}${picture}`,
      mainEntityOfPage: `${origin}${path}`,
    },
    body: html`<div class="hero">
        <p class="small two"><a href="${linkTo('/blog')}">${t('Blog')}</a></p>
        <h1 lang="en" dir="auto">${post.title}</h1>
        <p class="lead" lang="en" dir="auto">${post.excerpt}</p>
        <p class="small two">
          <bdi>${post.author ?? school.name}</bdi> ·
          <time datetime="${post.publishedAt.toISOString()}">${formatDay(post.publishedAt, 'UTC')}</time> ·
          ${t('{minutes} min', { minutes: readingMinutes(post.content) })}
        </p>
      </div>
      <article lang="en" dir="auto">${renderMarkdown(post.content, pictures)}</article>
      ${post.tags.length === 0 ? null : tagList(words, post.tags)}
      ${
        related.length === 0
          ? null
          : html`<section>
              <h2>${t('Read next')}</h2>
              ${postList(words, related, { areFirst: false })}
            </section>`
      }`,
  };
}

const tagList = ({ t, linkTo }: SiteWords, tags: readonly string[]): Html =>
  html`<ul class="tags" aria-label="${t('Tags')}">
    ${tags.map((tag) => html`<li><a rel="tag" href="${linkTo(tagPath(tag))}">${tag}</a></li>`)}
  </ul>`;

const nameOf = (author: string | undefined, school: SchoolIdentity): string =>
  author === undefined || author.trim() === '' ? school.name : author;

/** A draft, for readers who were given its address. */
export const previewPage = (
  { t }: SiteWords,
  post: DocumentOf<'post'>,
  { school, pictures }: Pick<ShownPost, 'school' | 'pictures'>,
): SitePage => ({
  title: post.title,
  description: post.excerpt,
  path: '/preview',
  isIndexed: false,
  isTranslated: false,
  body: html`<div class="hero">
      <p class="small two">${t('This is a draft. Only people with this link can read it, until it’s published.')}</p>
      <h1 lang="en" dir="auto">${post.title}</h1>
      <p class="lead" lang="en" dir="auto">${post.excerpt}</p>
      <p class="small two">
        <bdi>${nameOf(post.author, school)}</bdi> · ${t('{minutes} min', { minutes: readingMinutes(post.content) })}
      </p>
    </div>
    <article lang="en" dir="auto">${renderDraft(post.content, pictures)}</article>`,
});
