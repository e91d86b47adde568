/** Renders the frame of the public pages, which need no script. */
import { type SchoolIdentity, UNNAMED_SCHOOL } from '@parley/domain';
import { type Localizer, ownNameOf } from '@parley/i18n';
import { LANGUAGES } from '../../localization/index.ts';
import { brandMark, brandStyleLink } from '../../web/brand.ts';
import { Html, html } from '../../web/html.ts';
import type { SiteAssets } from '../assets/assets.ts';
import { addressIn, alternatesOf, withLanguage } from '../site-addresses.ts';
import type { SiteWords } from './site-words.ts';

export interface SiteFrame {
  school: SchoolIdentity;
  /** The public address of the server, without a trailing slash. */
  origin: string;
  assets: SiteAssets;
  words: SiteWords;
}

export interface SitePage {
  title: string;
  description: string;
  /** The path below the origin. */
  path: string;
  body: Html;
  /** A picture for link previews, 1200 by 630 pixels. */
  picture?: string;
  type?: 'website' | 'article';
  /** A JSON-LD document (https://json-ld.org). */
  data?: object;
  isIndexed?: boolean;
  /** False for a page in one language only, such as a post. */
  isTranslated?: boolean;
}

const navigationOf = ({ t }: Localizer) =>
  [
    ['/#how', t('How it works')],
    ['/pricing', t('Pricing')],
    ['/blog', t('Blog')],
    ['/downloads', t('Downloads')],
    ['/account', t('Your account')],
  ] as const;

/** `</script>` inside the data would end the element. */
const jsonLd = (data: object): Html =>
  new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`);

export function renderSitePage(frame: SiteFrame, page: SitePage): string {
  const { school, origin, assets, words } = frame;
  const { t, language, direction, linkTo } = words;
  const { isTranslated = true } = page;
  const address = `${origin}${isTranslated ? addressIn(language, page.path) : page.path}`;
  const title = page.path === '/' ? page.title : `${page.title} · ${school.name}`;
  const feedTitle = t('{school}, blog', { school: school.name });
  const picture = `${origin}${page.picture ?? '/site/preview.png'}`;
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${page.description}" />
        ${
          page.isIndexed === false
            ? html`<meta name="robots" content="noindex" />`
            : html`<link rel="canonical" href="${address}" />${isTranslated ? alternateLinks(origin, page.path) : null}`
        }
        <meta property="og:site_name" content="${school.name}" />
        <meta property="og:type" content="${page.type ?? 'website'}" />
        <meta property="og:title" content="${page.title}" />
        <meta property="og:description" content="${page.description}" />
        <meta property="og:url" content="${address}" />
        <meta property="og:image" content="${picture}" />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta name="twitter:card" content="summary_large_image" />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#16181c" media="(prefers-color-scheme: dark)" />
        ${assets.fontPaths.map((path) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin="" />`)}
        <link rel="stylesheet" href="${assets.stylePath}" />
        ${brandStyleLink(school)}
        <link rel="icon" href="/site/icon.svg" type="image/svg+xml" />
        <link
          rel="alternate"
          type="application/rss+xml"
          title="${feedTitle}"
          href="${addressIn(language, '/blog/rss.xml')}"
        />
        <link
          rel="alternate"
          type="application/atom+xml"
          title="${feedTitle}"
          href="${addressIn(language, '/blog/atom.xml')}"
        />
        <link
          rel="alternate"
          type="application/feed+json"
          title="${feedTitle}"
          href="${addressIn(language, '/blog/feed.json')}"
        />
        ${page.data === undefined ? null : jsonLd(page.data)}
      </head>
      <body>
        <a class="skip" href="#content">${t('Skip to content')}</a>
        <header class="wrap top">
          <a class="mark" href="${linkTo('/')}">${brandMark(school)}${school.name}</a>
          <nav aria-label="${t('Main')}">
            ${navigationOf(words).map(([path, name]) =>
              path === page.path
                ? html`<a href="${linkTo(path)}" aria-current="page">${name}</a>`
                : html`<a href="${linkTo(path)}">${name}</a>`,
            )}
          </nav>
        </header>
        <main id="content" class="wrap">${page.body}</main>
        ${footer(frame, page)}
      </body>
    </html> `.text;
}

const alternateLinks = (origin: string, path: string): readonly Html[] =>
  alternatesOf(path).map(
    (alternate) => html`<link rel="alternate" hreflang="${alternate.language}" href="${origin}${alternate.path}" />`,
  );

function footer({ school, words }: SiteFrame, page: SitePage): Html {
  const { t, language, linkTo } = words;
  return html`<footer class="wrap">
    <ul>
      <li><a href="${linkTo('/privacy')}">${t('Privacy')}</a></li>
      <li><a href="${linkTo('/terms')}">${t('Terms')}</a></li>
      <li><a href="${addressIn(language, '/blog/rss.xml')}">RSS</a></li>
      ${
        school.contactEmail === null ? null : html`<li><a href="mailto:${school.contactEmail}">${t('Contact')}</a></li>`
      }
    </ul>
    ${languageMenu(words, page)}
    <p>
      ${
        school.name === UNNAMED_SCHOOL.name
          ? t('Parley is free software.')
          : t('{school} runs Parley, which is free software.', { school: school.name })
      }
      ${t('This site loads nothing from other sites, and sets a cookie only when you sign in or send a form.')}
    </p>
  </footer>`;
}

/** Unindexed pages (previews, errors) do not know their own address, so the link changes only the language. */
function languageMenu({ t, language }: Localizer, { path, isIndexed = true }: SitePage): Html {
  const addressOf = (other: string): string => withLanguage(other, isIndexed ? path : '');
  return html`<nav class="languages" aria-label="${t('Display language')}">
    ${LANGUAGES.map((other) =>
      other === language
        ? html`<span lang="${other}" aria-current="true">${ownNameOf(other)}</span>`
        : html`<a lang="${other}" hreflang="${other}" href="${addressOf(other)}">${ownNameOf(other)}</a>`,
    )}
  </nav>`;
}
