/**
 * The contents of a crash report, which is sent to the school's server if the learner agrees: where in our code it
 * happened, and on what kind of system. It contains no message, because that may quote what the learner said, and no
 * folders, because their names may be a person's.
 */
import { z } from 'zod';
import { StorableTime } from './storable.ts';

/** `window`: the screens. `host`: the application behind them. `main`: Electron's own process. */
export const CRASH_SOURCES = ['window', 'host', 'main'] as const;
export type CrashSource = (typeof CRASH_SOURCES)[number];

const MAX_FRAMES = 30;
/** A function, and the name of a file with line and column, as in `push (sync-loop.ts:120:7)`. */
const FRAME = /^(?:[\w$.<>#]{1,80} )?\([\w$.@-]{1,80}:\d{1,7}:\d{1,7}\)$/;
const KIND = /^[A-Za-z][\w-]{0,59}$/;
const CODE = /^[A-Z][A-Z0-9_]{0,59}$/;

export const CrashReport = z.strictObject({
  /** Generated on the device, so that a report that is sent twice is stored once. */
  id: z.uuid(),
  at: StorableTime,
  source: z.enum(CRASH_SOURCES),
  /** The version of Parley. */
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  /** The system's name, version and processor. */
  system: z.string().regex(/^[\w .+-]{1,80}$/),
  /** The name of the error, such as `TypeError`, or how a process ended, such as `oom`. */
  kind: z.string().regex(KIND),
  /** A system error's code, such as `ENOSPC`; null if there is none. */
  code: z.string().regex(CODE).nullable(),
  frames: z.array(z.string().regex(FRAME)).max(MAX_FRAMES),
});
export type CrashReport = z.infer<typeof CrashReport>;

/** An error in the form in which a process or a page received it. */
export interface Crash {
  kind: string;
  code?: string | undefined;
  /** The stack in V8's format. */
  stack?: string | undefined;
}

export interface CrashOrigin extends Pick<CrashReport, 'id' | 'source' | 'version'> {
  at: Date;
  platform: string;
  release: string;
  arch: string;
}

/** Reduces a crash to what a report may contain; whatever does not look like code is left out. */
export function toCrashReport({ kind, code, stack = '' }: Crash, origin: CrashOrigin): CrashReport {
  const { id, at, source, version, platform, release, arch } = origin;
  return {
    id,
    at: at.toISOString(),
    source,
    version: onlyCharacters(version, /[^\w.+-]/g, 40) || 'unknown',
    system: onlyCharacters(`${platform} ${release} ${arch}`, /[^\w .+-]/g, 80),
    kind: KIND.test(kind) ? kind : 'Error',
    code: code !== undefined && CODE.test(code) ? code : null,
    frames: toFrames(stack),
  };
}

const onlyCharacters = (text: string, others: RegExp, max: number): string => text.replaceAll(others, '').slice(0, max);

/** Lines such as `at async push (file:///srv/ada/parley/sync-loop.ts:120:7)`, without the folders. */
const STACK_LINE = /^\s*at (?:(?:async |new )?(\S+) (?:\[as \S+\] )?\()?(?:.*[/\\:])?([\w$.@-]+):(\d+):(\d+)\)?$/;

function toFrames(stack: string): string[] {
  const frames: string[] = [];
  for (const line of stack.split('\n')) {
    const [, name = '', file, row, column] = STACK_LINE.exec(line) ?? [];
    const place = `(${file}:${row}:${column})`;
    if (file === undefined || !FRAME.test(place)) continue;
    const named = `${name} ${place}`;
    frames.push(FRAME.test(named) ? named : place);
    if (frames.length === MAX_FRAMES) break;
  }
  return frames;
}

/** The text that the learner reads before they send a report: exactly what is sent. */
export const crashReportText = (report: CrashReport): string => JSON.stringify(report, null, 2);
