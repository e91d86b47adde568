/** Privacy and terms, which the school and the operator may replace with their own Markdown, and error pages. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteTextName } from '@parley/contract';
import { type Localizer, ownNameOf, SOURCE_LANGUAGE } from '@parley/i18n';
import { LANGUAGES } from '../../localization/index.ts';
import { nullWhenMissing } from '../../missing-file.ts';
import { type PublishedText, readBuiltInText } from '../../school/index.ts';
import { html } from '../../web/html.ts';
import { renderMarkdown } from '../blog/render-markdown.ts';
import type { SitePage } from './site-layout.ts';
import type { SiteWords } from './site-words.ts';

export const TEXT_NAMES = ['privacy', 'terms'] as const satisfies readonly SiteTextName[];
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

export interface TextSources {
  /** The texts that admins have published in the panel, in any language. */
  published: readonly PublishedText[];
  /** The operator's folder; null when there is none. */
  dir: string | null;
}

interface WrittenText {
  markdown: string;
  language: string;
}

/** Whether the page is in every language, as Parley's own text is. */
export const isTextTranslated = (name: TextName, { published, dir }: TextSources): boolean => {
  const languages = published.flatMap((text) => (text.name === name ? text.language : []));
  return languages.length === 0 ? dir === null : LANGUAGES.every((language) => languages.includes(language));
};

/**
 * Uses the text that admins have published in the reader's language, or else in another one: Parley's text makes
 * different promises, so it must not replace a translation. Without any, the operator's file (`privacy.de.md`, then
 * `privacy.md`) is used, and then Parley's text. Throws when there is a file that cannot be read.
 */
async function readText(name: TextName, language: string, { published, dir }: TextSources): Promise<WrittenText> {
  const own = published.filter((text) => text.name === name);
  const [nearest] = [language, SOURCE_LANGUAGE, ...LANGUAGES].flatMap(
    (wanted) => own.find((text) => text.language === wanted) ?? [],
  );
  if (nearest !== undefined) return { markdown: nearest.text, language: nearest.language };
  return (
    (dir === null ? null : await readOperatorText(name, language, dir)) ?? {
      markdown: await readBuiltInText({ name, language }),
      language,
    }
  );
}

async function readOperatorText(name: TextName, language: string, dir: string): Promise<WrittenText | null> {
  const readIfThere = (file: string): Promise<string | null> =>
    readFile(join(dir, file), 'utf8').catch(nullWhenMissing);
  const translated = await readIfThere(`${name}.${language}.md`);
  if (translated !== null) return { markdown: translated, language };
  const only = await readIfThere(`${name}.md`);
  return only === null ? null : { markdown: only, language: SOURCE_LANGUAGE };
}

export async function textPage(
  localizer: Localizer,
  name: TextName,
  { contact, ...sources }: TextSources & { contact: string },
): Promise<SitePage> {
  const { t } = localizer;
  const { markdown, language } = await readText(name, localizer.language, sources);
  const headings = headingsOf(localizer)[name];
  return {
    ...headings,
    path: `/${name}`,
    isTranslated: isTextTranslated(name, sources),
    body: html`<div class="hero"><h1>${headings.title}</h1></div>
      ${
        language === localizer.language
          ? null
          : html`<p class="two">
              ${t('This text isn’t available in your language. It’s shown in this language: {language}.', {
                language: ownNameOf(language),
              })}
            </p>`
      }
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
      <p class="lead">${t('The address may contain a typo, or the page may have moved.')}</p>
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
      t('This form has expired.'),
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
