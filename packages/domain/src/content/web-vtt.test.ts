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
    ['00:04.000 --> 00:01.000\nHi', 3, 'It ends before it begins.'],
    ['00:99.000 --> 00:01.000\nHi', 3, '“00:99.000” is not a time such as 00:01.000.'],
    ['00:01.000 --> later\nHi', 3, '“later” is not a time such as 00:04.000.'],
    ['00:01.000 --> 00:02.000\n', 3, 'Nothing is said between these times.'],
    ['one\ntwo', 4, 'A line with two times is missing, such as “00:01.000 --> 00:04.000”.'],
    ['00:05.000 --> 00:06.000\nA\n\n00:01.000 --> 00:02.000\nB', 6, 'It begins before the one above it.'],
    ['', 1, 'There is no text with times below “WEBVTT”.'],
  ])('with %j has its problem on line %i', (body, line, message) => {
    expect(parseWebVtt(`WEBVTT\n\n${body}`).problems).toEqual([{ line, message }]);
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
