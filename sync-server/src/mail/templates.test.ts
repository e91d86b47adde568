import { describe, expect, it } from 'vitest';
import { MAIL_KINDS } from '../db/tables.ts';
import { type MailDataByKind, type MailKind, renderMail } from './templates/index.ts';
import type { MailFrame } from './templates/mail-body.ts';
import { SAMPLE_MAILS, sampleData } from './templates/samples.ts';
import { greeting } from './templates/wording.ts';

const ORIGIN = 'https://parley.example';
const STOP = `${ORIGIN}/unsubscribe?token=abc`;
const frame: MailFrame = { origin: ORIGIN, unsubscribeUrl: STOP };

const render = (kind: MailKind, step: string, around = frame) =>
  renderMail({ kind, step, data: sampleData(ORIGIN)[kind] }, around);
const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);

describe('the samples', () => {
  it('are of every kind', () => {
    expect([...new Set(SAMPLE_MAILS.map(({ kind }) => kind))].toSorted()).toEqual([...MAIL_KINDS].toSorted());
  });
});

describe.each(SAMPLE_MAILS)('$kind, $step', ({ kind, step }) => {
  it('has a subject that an inbox shows whole, and says the same in both parts', async () => {
    const { subject, html, text } = await render(kind, step);
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

  it('has whole links of this server, the same in both parts', async () => {
    const { html, text } = await render(kind, step);
    const links = linksOf(html);
    expect(links).toContain(STOP);
    for (const link of links) {
      expect(new URL(link).origin).toBe(ORIGIN);
      expect(text.split('\n')).toContain(link);
    }
  });

  it('is no wider than it may be, and short enough that no mail program cuts it off', async () => {
    const { html, text } = await render(kind, step);
    expect(html.length).toBeLessThan(20_000);
    const widths = [...html.matchAll(/(?<!max-)width:(\d+)px/g)].map(([, px]) => Number(px));
    expect(Math.max(0, ...widths)).toBeLessThanOrEqual(560);
    const long = text.split('\n').filter((line) => line.length > 78 && !line.startsWith('https://'));
    expect(long).toEqual([]);
  });

  it('asks for nothing from anywhere: no picture, script, font or style from elsewhere', async () => {
    const { html } = await render(kind, step);
    expect(html).not.toMatch(/<(img|script|iframe|link|object|form)\b|url\(|@import/i);
  });

  it('says nothing about unsubscribing where one cannot', async () => {
    const { html, text } = await render(kind, step, { origin: ORIGIN, unsubscribeUrl: null });
    expect(`${html}${text}`).not.toContain('Stop these reminders');
  });
});

describe('a message to sign in', () => {
  it.each([
    ['guessed', 'no code, because wrong codes were typed'],
    ['paused', 'no code, because codes are switched off'],
    ['browser', 'The link works once'],
  ] as const)('shows no code where none would be taken (%s), and says why', async (withoutCode, why) => {
    const data = { code: null, withoutCode, link: `${ORIGIN}/sign-in?link=abc` };
    const { subject, html, text } = await renderMail({ kind: 'sign_in', step: '1', data }, frame);
    expect(subject).toBe('Your link to sign in to Parley');
    expect(linksOf(html)).toContain(data.link);
    expect(`${html}${text}`).not.toMatch(/\d{3} \d{3}|this code/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(why);
  });
});

describe('what learners and others have written', () => {
  const EVIL = '"><script>alert(1)</script><a href="https://evil.example">&amp;';
  const withEvil = <Kind extends MailKind>(kind: Kind): MailDataByKind[Kind] =>
    Object.fromEntries(
      Object.entries(sampleData(ORIGIN)[kind]).map(([name, value]) => [
        name,
        ['firstName', 'what', 'code', 'email'].includes(name) ? EVIL : value,
      ]),
    ) as MailDataByKind[Kind];

  it.each(MAIL_KINDS)('stays words in %s', async (kind) => {
    const { html, text, subject } = await renderMail({ kind, step: '1', data: withEvil(kind) }, frame);
    expect(html).not.toMatch(/<script|<a href="https:\/\/evil/);
    expect(linksOf(html).every((link) => link.startsWith(ORIGIN))).toBe(true);
    expect(`${text}${subject}`).not.toContain('Hello "');
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
  ])('as the name %j is greeted: %s', (name, greeted) => {
    expect(greeting(name)).toBe(greeted);
  });
});
