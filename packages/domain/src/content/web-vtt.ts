/**
 * Parses transcripts in WebVTT (https://www.w3.org/TR/webvtt1), and reports problems with their line, counted from 1.
 */
import { explain, type Explanation } from './explanations/index.ts';

export interface TranscriptCue {
  startS: number;
  endS: number;
  /** Without markup. Lines are separated by line feeds. */
  text: string;
}

const HEADER = /^\uFEFF?WEBVTT(?:[ \t].*)?$/;
const TIMING = /^(\S+)[ \t]+-->[ \t]+(\S+)(?:[ \t].*)?$/;
const TIME = /^(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)\.(\d{3})$/;
const SKIPPED_BLOCK = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

/** Whether a transcript claims to be WebVTT. All others are plain text. */
export const isWebVtt = (transcript: string): boolean => HEADER.test(linesOf(transcript)[0] ?? '');

/** Cues in the order of the file. A cue with a problem is left out. */
export function parseWebVtt(transcript: string): { cues: TranscriptCue[]; problems: Explanation[] } {
  const cues: TranscriptCue[] = [];
  const problems: Explanation[] = [];
  const [, ...rest] = blocksOf(linesOf(transcript));
  for (const { line, lines } of rest) {
    const [first = '', second = ''] = lines;
    if (SKIPPED_BLOCK.test(first)) continue;
    const hasName = !first.includes('-->');
    const timing = TIMING.exec(hasName ? second : first);
    const at = { line: line + (hasName ? 1 : 0) };
    if (timing === null) {
      problems.push(explain('transcript.times_missing', at));
      continue;
    }
    const [startS, endS] = [timing[1], timing[2]].map((time = '') => toSeconds(time));
    const text = plainText(lines.slice(hasName ? 2 : 1).join('\n'));
    if (startS === undefined || startS === null)
      problems.push(explain('transcript.time_invalid', { ...at, time: timing[1] ?? '' }));
    else if (endS === undefined || endS === null)
      problems.push(explain('transcript.time_invalid', { ...at, time: timing[2] ?? '' }));
    else if (endS <= startS) problems.push(explain('transcript.ends_early', at));
    else if (startS < (cues.at(-1)?.startS ?? 0)) problems.push(explain('transcript.out_of_order', at));
    else if (text === '') problems.push(explain('transcript.text_missing', at));
    else cues.push({ startS, endS, text });
  }
  if (rest.length === 0) problems.push(explain('transcript.empty'));
  return { cues, problems };
}

/** SubRip (`.srt`) differs in its header and in the comma of its times. */
export const subRipToWebVtt = (transcript: string): string =>
  `WEBVTT\n\n${linesOf(transcript)
    .join('\n')
    .replace(/^\uFEFF/, '')
    .replaceAll(/^(\d{2}:\d{2}:\d{2}),(\d{3}) --> (\d{2}:\d{2}:\d{2}),(\d{3})/gm, '$1.$2 --> $3.$4')
    .trim()}\n`;

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);

/** Splits the file at blank lines. The first block begins with the header. */
function blocksOf(lines: readonly string[]): { line: number; lines: string[] }[] {
  const blocks: { line: number; lines: string[] }[] = [];
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') isOpen = false;
    else if (isOpen) blocks.at(-1)?.lines.push(line);
    else {
      blocks.push({ line: index + 1, lines: [line] });
      isOpen = true;
    }
  }
  return blocks;
}

function toSeconds(time: string): number | null {
  const match = TIME.exec(time);
  if (match === null) return null;
  const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return hours * 3_600 + minutes * 60 + seconds + milliseconds / 1_000;
}

const plainText = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '')
    .trim();
