/** Renders a mail as HTML with tables and inline styles, which mail clients need. React escapes all values. */
import { assertNever } from '@parley/domain';
import { render } from '@react-email/render';
import { createElement as h, Fragment, type ReactElement } from 'react';
import type { Block, MailBody, MailFrame } from './mail-body.ts';
import { createStyles, type MailStyles, styleSheet } from './mail-style.ts';

const LAYOUT_TABLE = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const;
/** Follows the preview, so that clients do not fill the line with the mail's first words. */
const PREVIEW_FILLER = '\u034f\u200c\u00a0'.repeat(60);

export const renderHtml = (body: MailBody, frame: MailFrame): Promise<string> =>
  render(renderPage(body, frame, createStyles(frame.localizer.direction, frame.school)));

const renderPage = (body: MailBody, frame: MailFrame, styles: MailStyles): ReactElement =>
  h(
    'html',
    { lang: frame.localizer.language, dir: frame.localizer.direction },
    h(
      'head',
      null,
      h('meta', { httpEquiv: 'Content-Type', content: 'text/html; charset=UTF-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('meta', { name: 'format-detection', content: 'telephone=no,date=no,address=no,email=no,url=no' }),
      h('title', null, body.subject),
      h('style', { dangerouslySetInnerHTML: { __html: styleSheet(frame.school) } }),
    ),
    h(
      'body',
      { style: styles.page, className: 'page' },
      h('div', { style: styles.hidden, 'aria-hidden': true }, body.preview, PREVIEW_FILLER),
      h(
        'table',
        { ...LAYOUT_TABLE, style: styles.outer, className: 'page', align: 'center' },
        row(
          h(
            'td',
            { style: styles.outerCell, className: 'outer-cell', align: 'center' },
            renderContainer(body, frame, styles),
          ),
        ),
      ),
    ),
  );

const row = (...cells: ReactElement[]): ReactElement => h('tbody', null, h('tr', null, ...cells));

const renderContainer = (body: MailBody, frame: MailFrame, styles: MailStyles): ReactElement =>
  h(
    'table',
    { ...LAYOUT_TABLE, dir: frame.localizer.direction, style: styles.container },
    h(
      'tbody',
      null,
      h('tr', null, h('td', { style: styles.brand, className: 'ink' }, frame.school.name)),
      h(
        'tr',
        null,
        h(
          'td',
          { style: styles.card, className: 'card' },
          h('h1', { style: styles.title, className: 'ink' }, body.title),
          ...body.blocks.map((block, index) => h(Fragment, { key: index }, renderBlock(block, styles))),
        ),
      ),
      h('tr', null, h('td', { style: styles.footer, className: 'quiet' }, footer(body, frame, styles))),
    ),
  );

function footer(
  { why }: MailBody,
  { origin, unsubscribeUrl, school, localizer: { t } }: MailFrame,
  styles: MailStyles,
): ReactElement {
  const home = h('a', { href: origin, style: styles.link, className: 'link' }, new URL(origin).host);
  if (unsubscribeUrl === null) return h(Fragment, null, why, h('br'), `${school.name} · `, home);
  const stop = h('a', { href: unsubscribeUrl, style: styles.link, className: 'link' }, t('Stop these reminders'));
  return h(Fragment, null, why, h('br'), stop, ` · ${school.name} · `, home);
}

/** The gap is a margin, so that copying the code copies only its digits. */
const digits = (code: string, styles: MailStyles): ReactElement[] =>
  code
    .split(' ')
    .map((group, index) => h('span', index === 0 ? { key: index } : { key: index, style: styles.codeGap }, group));

function renderBlock(block: Block, styles: MailStyles): ReactElement {
  switch (block.type) {
    case 'text':
      return h('p', { style: styles.text, className: 'ink' }, block.text);
    case 'quiet':
      return h('p', { style: styles.quiet, className: 'quiet' }, block.text);
    case 'code':
      return h(
        'table',
        { ...LAYOUT_TABLE, width: '100%', style: styles.spaced },
        row(h('td', { dir: 'ltr', style: styles.code, className: 'code' }, ...digits(block.code, styles))),
      );
    case 'button':
      return h(
        'table',
        { ...LAYOUT_TABLE, style: styles.spaced },
        row(
          h(
            'td',
            { style: styles.buttonCell, className: 'button-cell' },
            h('a', { href: block.href, style: styles.button, className: 'button' }, block.label),
          ),
        ),
      );
    case 'link':
      return h(
        'p',
        { style: styles.quiet, className: 'quiet' },
        h('a', { href: block.href, style: styles.link, className: 'link' }, block.label),
      );
    case 'facts':
      return h(
        'table',
        { cellPadding: 0, cellSpacing: 0, border: 0, width: '100%', style: styles.spaced },
        h(
          'tbody',
          null,
          ...block.rows.map(([name, value]) =>
            h(
              'tr',
              { key: name },
              h(
                'th',
                {
                  scope: 'row',
                  style: { ...styles.factName, fontWeight: 400 },
                  className: 'quiet line',
                },
                name,
              ),
              h('td', { style: styles.factValue, className: 'ink line' }, value),
            ),
          ),
        ),
      );
    default:
      return assertNever(block);
  }
}
