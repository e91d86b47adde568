import { describe, expect, it } from 'vitest';
import { isWebVtt, parseWebVtt, subRipToWebVtt } from './web-vtt.ts';

describe('a WebVTT transcript', () => {
  it('is read with names, settings, notes and markup', () => {
    const text = [
      '\uFEFFWEBVTT - Phone calls',
      '',
      'NOTE Checked by Ines',
      '',
      'intro',
      '00:01.000 --> 00:04.500 align:start',
      '<v Ines>Good <b>morning</b>,',
      'Nordhafen &amp; Sons.</v>',
      '',
      '01:00:00.000 --> 01:00:02.250',
      'Goodbye.',
    ].join('\r\n');
    expect(isWebVtt(text)).toBe(true);
    expect(parseWebVtt(text)).toEqual({
      cues: [
        { startS: 1, endS: 4.5, text: 'Good morning,\nNordhafen & Sons.' },
        { startS: 3_600, endS: 3_602.25, text: 'Goodbye.' },
      ],
      problems: [],
    });
  });

  it.each([
    ['00:04.000 --> 00:01.000\nHi', { code: 'transcript.ends_early', values: { line: 3 } }],
    ['00:99.000 --> 00:01.000\nHi', { code: 'transcript.time_invalid', values: { line: 3, time: '00:99.000' } }],
    ['00:01.000 --> later\nHi', { code: 'transcript.time_invalid', values: { line: 3, time: 'later' } }],
    ['00:01.000 --> 00:02.000\n', { code: 'transcript.text_missing', values: { line: 3 } }],
    ['one\ntwo', { code: 'transcript.times_missing', values: { line: 4 } }],
    [
      '00:05.000 --> 00:06.000\nA\n\n00:01.000 --> 00:02.000\nB',
      { code: 'transcript.out_of_order', values: { line: 6 } },
    ],
    ['', { code: 'transcript.empty', values: {} }],
  ])('with %j has a problem with its line', (body, problem) => {
    expect(parseWebVtt(`WEBVTT\n\n${body}`).problems).toEqual([problem]);
  });

  it('is not confused with plain text', () => {
    for (const text of ['', 'Good morning.', 'WEBVTTX', ' WEBVTT']) expect(isWebVtt(text)).toBe(false);
  });

  it('is made from SubRip', () => {
    const subRip = '1\r\n00:00:01,000 --> 00:00:02,500\r\nHi, 1,000 people.\r\n';
    expect(parseWebVtt(subRipToWebVtt(subRip))).toEqual({
      cues: [{ startS: 1, endS: 2.5, text: 'Hi, 1,000 people.' }],
      problems: [],
    });
  });
});
