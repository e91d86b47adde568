import { UNNAMED_SCHOOL } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { findLiterals, markMessages } from '../../../test-kit/words/marked-words.ts';
import { MAIL_KINDS } from '../../db/mail-tables.ts';
import { LANGUAGES, localizerFor } from '../../localization/index.ts';
import { type MailDataByKind, type MailKind, renderMail } from './index.ts';
import type { MailFrame } from './mail-body.ts';
import { SAMPLE_MAILS, sampleData } from './samples.ts';
import { greeting } from './format.ts';

const ORIGIN = 'https://parley.example';
const STOP = `${ORIGIN}/unsubscribe?token=abc`;
const english = localizerFor('en');
const frame: MailFrame = { origin: ORIGIN, unsubscribeUrl: STOP, school: UNNAMED_SCHOOL, localizer: english };

const render = (kind: MailKind, step: string, around: MailFrame) =>
  renderMail({ kind, step, data: sampleData(ORIGIN)[kind] }, around);
const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);

describe('the samples', () => {
  it('cover every kind of mail', () => {
    expect([...new Set(SAMPLE_MAILS.map(({ kind }) => kind))].toSorted()).toEqual([...MAIL_KINDS].toSorted());
  });
});

const IN_ALL_LANGUAGES = LANGUAGES.flatMap((language) => SAMPLE_MAILS.map((sample) => ({ language, ...sample })));
describe.each(IN_ALL_LANGUAGES)('$kind, $step in $language', ({ language, kind, step }) => {
  const localizer = localizerFor(language);
  const frame: MailFrame = { origin: ORIGIN, unsubscribeUrl: STOP, school: UNNAMED_SCHOOL, localizer };

  it('has a short subject and the same words in HTML and text', async () => {
    const { subject, html, text } = await render(kind, step, frame);
    expect(subject.length).toBeLessThanOrEqual(60);
    expect(subject).not.toMatch(/[\r\n]/);
    const said = html
      .replace(/<style>.*?<\/style>|<title>.*?<\/title>|<div style="display:none.*?<\/div>/gs, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&#x27;', "'");
    const words = (from: string): string[] =>
      from
        .replaceAll(/https?:\S+|[-=:·]/g, ' ')
        .split(/\s+/)
        .filter(Boolean);
    const inText = new Set(words(text));
    expect(words(said).filter((word) => !inText.has(word) && word !== 'parley.example')).toEqual([]);
  });

  it('has the same absolute links to this server in both parts', async () => {
    const { html, text } = await render(kind, step, frame);
    const links = linksOf(html);
    expect(links).toContain(STOP);
    for (const link of links) {
      expect(new URL(link).origin).toBe(ORIGIN);
      expect(text.split('\n')).toContain(link);
    }
  });

  it('fits the width and the size that mail clients allow', async () => {
    const { html, text } = await render(kind, step, frame);
    expect(html.length).toBeLessThan(20_000);
    const widths = [...html.matchAll(/(?<!max-)width:(\d+)px/g)].map(([, px]) => Number(px));
    expect(Math.max(0, ...widths)).toBeLessThanOrEqual(560);
    // A script without spaces cannot be wrapped at spaces.
    if (['ja', 'zh-Hans'].includes(language)) return;
    const long = text.split('\n').filter((line) => line.length > 78 && !line.startsWith('https://'));
    expect(long).toEqual([]);
  });

  it('loads nothing from elsewhere: no images, scripts, fonts or styles', async () => {
    const { html } = await render(kind, step, frame);
    expect(html).not.toMatch(/<(img|script|iframe|link|object|form)\b|url\(|@import/i);
  });

  it('has no unsubscribe sentence without an unsubscribe link', async () => {
    const { html, text } = await render(kind, step, { ...frame, unsubscribeUrl: null });
    expect(`${html}${text}`).not.toContain(localizer.t('Stop these reminders'));
  });

  it('names its language and the direction of its script', async () => {
    const { html } = await render(kind, step, frame);
    expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
  });

  it('takes every word from the catalogue', async () => {
    const { html, subject } = await render(kind, step, { ...frame, localizer: markMessages(localizer) });
    expect(subject).toMatch(/^⟦.*⟧$/);
    const data = Object.values(sampleData(ORIGIN)[kind]).map(String);
    const literals = findLiterals(html).filter((text) => !data.includes(text) && !data.includes(`Parley ${text}`));
    expect(literals).toEqual([]);
  });
});

describe('a sign-in mail', () => {
  it.each([
    ['guessed', 'no code, because too many wrong codes were entered'],
    ['paused', 'no code, because codes are switched off'],
    ['browser', 'The link works once'],
  ] as const)('without a code explains why (%s)', async (withoutCode, why) => {
    const data = { code: null, withoutCode, link: `${ORIGIN}/sign-in?link=abc` };
    const { subject, html, text } = await renderMail({ kind: 'sign_in', step: '1', data }, frame);
    expect(subject).toBe('Your Parley sign-in link');
    expect(linksOf(html)).toContain(data.link);
    expect(`${html}${text}`).not.toMatch(/\d{3} \d{3}|share this code/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(why);
  });
});

describe('a mail with a code that confirms an action', () => {
  it('says that someone is signed in, and offers no sign-in', async () => {
    const data = { ...sampleData(ORIGIN).sign_in, isConfirmation: true };
    const { subject, html, text } = await renderMail({ kind: 'sign_in', step: '1', data }, frame);
    expect(subject).toBe('Your Parley confirmation code');
    expect(text).toMatch(/^ {4}482 913$/m);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('someone who is signed in to your account');
    expect(linksOf(html)).not.toContain(data.link);
    expect(`${html}${text}`).not.toMatch(/sign-in code|you can ignore it/);
  });

  it('has a link if no code would be accepted', async () => {
    const data = {
      code: null,
      withoutCode: 'guessed',
      link: `${ORIGIN}/sign-in?link=abc`,
      isConfirmation: true,
    } as const;
    const { html } = await renderMail({ kind: 'sign_in', step: '1', data }, frame);
    expect(linksOf(html)).toContain(data.link);
  });
});

describe('a mail that gives access', () => {
  it.each(['access_link', 'access_link_again', 'not_logged_in'] as const)(
    'says where to get the app (%s)',
    async (kind) => {
      const { text } = await render(kind, '1', frame);
      expect(text.replaceAll(/\s+/g, ' ')).toContain(
        'If Parley isn’t installed there yet, the link shows where to get it.',
      );
    },
  );
});

describe('text from learners', () => {
  const EVIL = '"><script>alert(1)</script><a href="https://evil.example">&amp;';
  const withEvil = <Kind extends MailKind>(kind: Kind): MailDataByKind[Kind] =>
    Object.fromEntries(
      Object.entries(sampleData(ORIGIN)[kind]).map(([name, value]) => [
        name,
        ['firstName', 'what', 'code', 'email'].includes(name) ? EVIL : value,
      ]),
    ) as MailDataByKind[Kind];

  it.each(MAIL_KINDS)('is escaped in %s', async (kind) => {
    const { html, text, subject } = await renderMail({ kind, step: '1', data: withEvil(kind) }, frame);
    expect(html).not.toMatch(/<script|<a href="https:\/\/evil/);
    expect(linksOf(html).every((link) => link.startsWith(ORIGIN))).toBe(true);
    expect(`${text}${subject}`).not.toContain('Hello "');
  });

  it('promises no end without a charge when the free week continues', async () => {
    const data = { ...sampleData(ORIGIN).trial_ending, continues: true };
    const { html, text } = await renderMail({ kind: 'trial_ending', step: '1', data }, frame);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('If you’ve added a card, it’s charged that day.');
    expect(`${html}${text}`).not.toContain('You won’t be charged');
  });

  it.each([
    ['Anna', 'Hello Anna,'],
    ["  Mary-Jane   O'Neill ", "Hello Mary-Jane O'Neill,"],
    ['Žofia', 'Hello Žofia,'],
    ['明', 'Hello 明,'],
    [null, 'Hello,'],
    ['', 'Hello,'],
    ['https://evil.example', 'Hello,'],
    ['win at evil.example now', 'Hello,'],
    ['<b>', 'Hello,'],
    ['A'.repeat(41), 'Hello,'],
    ['Anna\r\nBcc: x', 'Hello,'],
  ])('greets the name %j as %s', (name, greeted) => {
    expect(greeting(english, name)).toBe(greeted);
  });
});
