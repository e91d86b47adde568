/** Sets a mail in HTML: tables and styles on each element, as mail clients want it. React escapes whatever the words hold. */
import { assertNever } from '@parley/domain';
import { render } from '@react-email/render';
import { createElement as h, Fragment, type ReactElement } from 'react';
import { type Block, type MailBody, type MailFrame, STOP_LABEL } from './mail-body.ts';
import { STYLE_SHEET, styles } from './mail-style.ts';

const LAYOUT_TABLE = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const;
/** Behind the preview, or clients fill the line with the mail's first words. */
const FILLER = '\u034f\u200c\u00a0'.repeat(60);

export const renderHtml = (body: MailBody, frame: MailFrame): Promise<string> => render(page(body, frame));

const page = (body: MailBody, frame: MailFrame): ReactElement =>
  h(
    'html',
    { lang: 'en', dir: 'ltr' },
    h(
      'head',
      null,
      h('meta', { httpEquiv: 'Content-Type', content: 'text/html; charset=UTF-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('meta', { name: 'format-detection', content: 'telephone=no,date=no,address=no,email=no,url=no' }),
      h('title', null, body.subject),
      h('style', { dangerouslySetInnerHTML: { __html: STYLE_SHEET } }),
    ),
    h(
      'body',
      { style: styles.page, className: 'page' },
      h('div', { style: styles.hidden, 'aria-hidden': true }, body.preview, FILLER),
      h(
        'table',
        { ...LAYOUT_TABLE, style: styles.outer, className: 'page', align: 'center' },
        row(h('td', { style: styles.outerCell, className: 'outer-cell', align: 'center' }, container(body, frame))),
      ),
    ),
  );

const row = (...cells: ReactElement[]): ReactElement => h('tbody', null, h('tr', null, ...cells));

const container = (body: MailBody, frame: MailFrame): ReactElement =>
  h(
    'table',
    { ...LAYOUT_TABLE, style: styles.container },
    h(
      'tbody',
      null,
      h('tr', null, h('td', { style: styles.brand, className: 'ink' }, 'Parley')),
      h(
        'tr',
        null,
        h(
          'td',
          { style: styles.card, className: 'card' },
          h('h1', { style: styles.title, className: 'ink' }, body.title),
          ...body.blocks.map((block, index) => h(Fragment, { key: index }, blockOf(block))),
        ),
      ),
      h('tr', null, h('td', { style: styles.footer, className: 'quiet' }, footer(body, frame))),
    ),
  );

function footer({ why }: MailBody, { origin, unsubscribeUrl }: MailFrame): ReactElement {
  const home = h('a', { href: origin, style: styles.link, className: 'link' }, new URL(origin).host);
  if (unsubscribeUrl === null) return h(Fragment, null, why, h('br'), 'Parley · ', home);
  const stop = h('a', { href: unsubscribeUrl, style: styles.link, className: 'link' }, STOP_LABEL);
  return h(Fragment, null, why, h('br'), stop, ' · Parley · ', home);
}

/** The gap is drawn: whoever copies the code gets the digits alone. */
const digits = (code: string): ReactElement[] =>
  code
    .split(' ')
    .map((group, index) => h('span', index === 0 ? { key: index } : { key: index, style: styles.codeGap }, group));

function blockOf(block: Block): ReactElement {
  switch (block.type) {
    case 'text':
      return h('p', { style: styles.text, className: 'ink' }, block.text);
    case 'quiet':
      return h('p', { style: styles.quiet, className: 'quiet' }, block.text);
    case 'code':
      return h(
        'table',
        { ...LAYOUT_TABLE, width: '100%', style: styles.spaced },
        row(h('td', { style: styles.code, className: 'code' }, ...digits(block.code))),
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
                  align: 'left',
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
