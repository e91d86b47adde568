/** Privacy and terms, which the operator may replace with other Markdown, and pages about errors. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Localizer, SOURCE_LANGUAGE } from '@parley/i18n';
import { nullWhenMissing } from '../../missing-file.ts';
import { html } from '../../web/html.ts';
import { renderMarkdown } from '../blog/render-markdown.ts';
import type { SitePage } from './site-layout.ts';
import type { SiteWords } from './site-words.ts';

export const TEXT_NAMES = ['privacy', 'terms'] as const;
export type TextName = (typeof TEXT_NAMES)[number];

const headingsOf = ({ t }: Localizer): Record<TextName, { title: string; description: string }> => ({
  privacy: {
    title: t('Privacy'),
    description: t('What is stored where, for how long, and how to have it deleted.'),
  },
  terms: {
    title: t('Terms'),
    description: t('What you can expect from this server, and what it expects from you.'),
  },
});

const OWN_TEXTS = new URL('texts/', import.meta.url);

interface WrittenText {
  markdown: string;
  language: string;
  /** Whether there is one in every language, as there is of ours. */
  isTranslated: boolean;
}

const readIfThere = (path: string | URL): Promise<string | null> => readFile(path, 'utf8').catch(nullWhenMissing);

/**
 * The operator's text in the reader's language (`privacy.de.md`), then the operator's own (`privacy.md`), which nothing of ours replaces
 * because it promises something else, then ours. Throws when there is a text that cannot be read.
 */
async function readText(name: TextName, language: string, dir: string | null): Promise<WrittenText> {
  const inLanguage = `${name}.${language}.md`;
  if (dir !== null) {
    const translated = await readIfThere(join(dir, inLanguage));
    if (translated !== null) return { markdown: translated, language, isTranslated: false };
    const own = await readIfThere(join(dir, `${name}.md`));
    if (own !== null) return { markdown: own, language: SOURCE_LANGUAGE, isTranslated: false };
  }
  return { markdown: await readFile(new URL(inLanguage, OWN_TEXTS), 'utf8'), language, isTranslated: true };
}

export async function textPage(
  localizer: Localizer,
  name: TextName,
  { dir, contact }: { dir: string | null; contact: string },
): Promise<SitePage> {
  const { markdown, language, isTranslated } = await readText(name, localizer.language, dir);
  const headings = headingsOf(localizer)[name];
  return {
    ...headings,
    path: `/${name}`,
    isTranslated,
    body: html`<div class="hero"><h1>${headings.title}</h1></div>
      <article lang="${language}" dir="auto">${renderMarkdown(markdown.replaceAll('{contact}', contact))}</article>`,
  };
}

export function notFoundPage({ t, linkTo }: SiteWords): SitePage {
  return {
    title: t('Page not found'),
    description: t('There’s nothing at this address.'),
    path: '/404',
    isIndexed: false,
    body: html`<div class="hero">
      <h1>${t('There’s nothing here.')}</h1>
      <p class="lead">${t('The address may have a typing mistake, or the page has moved.')}</p>
      <p class="actions">
        <a class="button" href="${linkTo('/')}">${t('Go to the home page')}</a
        ><a class="button second" href="${linkTo('/blog')}">${t('Read the blog')}</a>
      </p>
    </div>`,
  };
}

const TOO_MANY_REQUESTS = 429;
const FORBIDDEN = 403;
const SERVER_ERROR = 500;

/** Explains a failed request, and what to do next. */
export function failurePage(
  { t, linkTo }: SiteWords,
  { status, requestId }: { status: number; requestId: string },
): SitePage {
  const explain = (title: string, advice: string): SitePage => ({
    title,
    description: advice,
    path: '/',
    isIndexed: false,
    body: html`<div class="hero">
      <h1>${title}</h1>
      <p class="lead">${advice}</p>
      <p class="actions"><a class="button" href="${linkTo('/')}">${t('Go to the home page')}</a></p>
    </div>`,
  });
  if (status === TOO_MANY_REQUESTS)
    return explain(t('Too many requests at once.'), t('Wait a minute, then try again.'));
  if (status === FORBIDDEN)
    return explain(
      t('This form is too old.'),
      t('Nothing was sent. Open the page again, and send the form once more.'),
    );
  if (status < SERVER_ERROR) return explain(t('That didn’t work.'), t('Go back, check what you typed, and try again.'));
  return explain(
    t('This page can’t be shown right now.'),
    t(
      'Nothing is lost. Try again in a minute. If it still doesn’t work, send this number to the people who run this server: {requestId}.',
      {
        requestId,
      },
    ),
  );
}
