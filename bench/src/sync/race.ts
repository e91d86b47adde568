/** Takes one contestant through the job: a folder filled beforehand, an empty device, a push, changes between two devices. */
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, startChild } from './child.ts';
import { type Contestant, moduleOf } from './contestant.ts';
import { type CountingProxy, openCountingProxy } from './counting-proxy.ts';
import { folderBytes } from './folder-bytes.ts';
import { PULLED_ROWS, PUSHED_ROWS } from './job.ts';
import { Digested, Invited, Measured, Nothing, Started, Timed } from './messages.ts';
import { type ChangeTimes, measureChanges } from './measure-changes.ts';
import { checksumOf, practiceRows } from './rows.ts';

/** One phase on one device: milliseconds, bytes on the line, seconds of CPU. */
export interface PhaseFigures {
  ms: number;
  wireBytes: number;
  clientCpuSeconds: number;
  serverCpuSeconds: number;
}

export interface RaceFigures {
  pull: PhaseFigures;
  push: PhaseFigures;
  changes: ChangeTimes[];
  clientDiskBytes: number;
  serverDiskBytes: number;
}

interface Track {
  contestant: Contestant;
  server: Child;
  line: CountingProxy;
}

const copy = promisify(execFile);
const QUIET_MS = 250;
const LONGEST_QUIET_WAIT_MS = 5_000;
/** Filling is not timed, and slow for some. */
const FILL_TIMEOUT_MS = 300_000;

/** Fills a server with the rows that are later pulled, through the contestant's own way of writing them. */
export async function prepare(contestant: Contestant, templateDir: string): Promise<void> {
  await mkdir(join(templateDir, 'first'), { recursive: true });
  await onTrack(contestant, join(templateDir, 'server'), async (track) => {
    const first = await startDevice(track, join(templateDir, 'first'), null);
    try {
      await first.ask({ type: 'push', first: 0, count: PULLED_ROWS }, Timed, FILL_TIMEOUT_MS);
    } finally {
      await first.stop();
    }
  });
}

export async function race(
  contestant: Contestant,
  folders: { templateDir: string; runDir: string },
  changeCount: number,
): Promise<RaceFigures> {
  const { templateDir, runDir } = folders;
  // Keeps owners: a PostgreSQL cluster belongs to a user of its own.
  await copy('cp', ['-a', templateDir, runDir]);
  const dirOf = (part: string): string => join(runDir, part);
  try {
    const figures = await onTrack(contestant, dirOf('server'), async (track) => {
      const ticket = await inviteFrom(track, dirOf('first'));
      await mkdir(dirOf('newcomer'));
      const newcomer = await startDevice(track, dirOf('newcomer'), ticket);
      let first: Child | null = null;
      try {
        const pull = await measurePhase(track, newcomer, (device) =>
          device.ask({ type: 'pullAll', expect: PULLED_ROWS }, Timed),
        );
        await requireRows(newcomer, PULLED_ROWS);
        const push = await measurePhase(track, newcomer, (device) =>
          device.ask({ type: 'push', first: PULLED_ROWS, count: PUSHED_ROWS }, Timed),
        );
        first = await startDevice(track, dirOf('first'), null);
        await first.ask({ type: 'pullAll', expect: PULLED_ROWS + PUSHED_ROWS }, Timed);
        await requireRows(first, PULLED_ROWS + PUSHED_ROWS);
        return { pull, push, changes: await measureChanges({ from: newcomer, to: first }, changeCount) };
      } finally {
        await newcomer.stop();
        await first?.stop();
      }
    });
    return {
      ...figures,
      clientDiskBytes: await folderBytes(dirOf('newcomer')),
      serverDiskBytes: await folderBytes(dirOf('server')),
    };
  } finally {
    await rm(runDir, { recursive: true, force: true });
  }
}

async function onTrack<Value>(
  contestant: Contestant,
  dir: string,
  work: (track: Track) => Promise<Value>,
): Promise<Value> {
  await mkdir(dir, { recursive: true });
  const server = startChild(moduleOf(contestant, 'server'));
  try {
    const { port } = await server.ask({ type: 'start', dir }, Started);
    const line = await openCountingProxy(port);
    try {
      return await work({ contestant, server, line });
    } finally {
      await line.close();
    }
  } finally {
    await server.stop();
  }
}

async function startDevice({ contestant, line }: Track, dir: string, ticket: string | null): Promise<Child> {
  const device = startChild(moduleOf(contestant, 'client'));
  try {
    await device.ask({ type: 'start', dir, url: `http://127.0.0.1:${line.port}`, ticket }, Nothing);
    return device;
  } catch (error) {
    await device.stop();
    throw error;
  }
}

async function inviteFrom(track: Track, dir: string): Promise<string | null> {
  const first = await startDevice(track, dir, null);
  try {
    return (await first.ask({ type: 'invite' }, Invited)).ticket;
  } finally {
    await first.stop();
  }
}

async function measurePhase(
  { server, line }: Track,
  device: Child,
  work: (device: Child) => Promise<{ ms: number }>,
): Promise<PhaseFigures> {
  await untilQuiet(line);
  const cpuOf = async (child: Child): Promise<number> => (await child.ask({ type: 'measure' }, Measured)).cpuSeconds;
  const [bytesBefore, clientBefore, serverBefore] = [line.bytes(), await cpuOf(device), await cpuOf(server)];
  const { ms } = await work(device);
  // What trails behind, such as acknowledgements and checkpoints, is part of the price.
  await untilQuiet(line);
  return {
    ms,
    wireBytes: line.bytes() - bytesBefore,
    clientCpuSeconds: (await cpuOf(device)) - clientBefore,
    serverCpuSeconds: (await cpuOf(server)) - serverBefore,
  };
}

async function untilQuiet(line: CountingProxy): Promise<void> {
  const givenUpMs = performance.now() + LONGEST_QUIET_WAIT_MS;
  for (let before = -1; before !== line.bytes() && performance.now() < givenUpMs;) {
    before = line.bytes();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}

async function requireRows(device: Child, count: number): Promise<void> {
  const held = await device.ask({ type: 'digest' }, Digested);
  const checksum = checksumOf(practiceRows(0, count));
  if (held.count !== count || held.checksum !== checksum)
    throw new Error(`a device holds ${held.count} rows of ${count}, or others than were written`);
}
