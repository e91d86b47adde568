/** Runs one contestant through the workload: a filled store, a pull to an empty device, a push, and changes between two devices. */
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ContestantProcess, startContestantProcess } from './contestant-process.ts';
import { type Contestant, moduleUrl } from './contestant.ts';
import { type CountingProxy, openCountingProxy } from './counting-proxy.ts';
import { folderBytes } from './folder-bytes.ts';
import type { Workload } from './workload.ts';
import { RowsDigest, Invited, Measured, Empty, Started, Timed } from './messages.ts';
import { type ChangeTimes, measureChanges } from './measure-changes.ts';
import { computeChecksum, practiceRows } from './workload-rows.ts';

/** One phase on one device: milliseconds, bytes on the wire, CPU seconds. */
export interface PhaseFigures {
  ms: number;
  /** When the history can be listed, although turns are still to come. */
  listedMs: number;
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

interface RunningContestant {
  contestant: Contestant;
  server: ContestantProcess;
  line: CountingProxy;
}

const execFileAsync = promisify(execFile);
const QUIET_POLL_MS = 250;
const MAX_QUIET_WAIT_MS = 5_000;
/** Filling is not timed and is slow for some contestants. */
const FILL_TIMEOUT_MS = 300_000;

/** Fills a server with the rows to pull, through the write path of the contestant. */
export async function fillTemplate(contestant: Contestant, templateDir: string, workload: Workload): Promise<void> {
  const { kind, pulledSessions: count } = workload;
  await mkdir(join(templateDir, 'first'), { recursive: true });
  await withContestant(contestant, join(templateDir, 'server'), async (track) => {
    const first = await startDevice(track, join(templateDir, 'first'), null);
    try {
      await first.ask({ type: 'push', first: 0, count, kind }, Timed, FILL_TIMEOUT_MS);
    } finally {
      await first.stop();
    }
  });
}

export async function race(
  contestant: Contestant,
  folders: { templateDir: string; runDir: string },
  { workload, changeCount }: { workload: Workload; changeCount: number },
): Promise<RaceFigures> {
  const { kind, pulledSessions, pushedSessions } = workload;
  const { templateDir, runDir } = folders;
  // Preserves file owners, because a PostgreSQL cluster belongs to its own user.
  await execFileAsync('cp', ['-a', templateDir, runDir]);
  const resolveDir = (part: string): string => join(runDir, part);
  try {
    const figures = await withContestant(contestant, resolveDir('server'), async (track) => {
      const ticket = await createInvite(track, resolveDir('first'));
      await mkdir(resolveDir('newcomer'));
      const newcomer = await startDevice(track, resolveDir('newcomer'), ticket);
      let first: ContestantProcess | null = null;
      try {
        const pull = await measurePhase(track, newcomer, (device) =>
          device.ask({ type: 'pullAll', expect: pulledSessions, kind }, Timed),
        );
        await assertRows(newcomer, pulledSessions);
        const push = await measurePhase(track, newcomer, (device) =>
          device.ask({ type: 'push', first: pulledSessions, count: pushedSessions, kind }, Timed),
        );
        first = await startDevice(track, resolveDir('first'), null);
        await first.ask({ type: 'pullAll', expect: pulledSessions + pushedSessions, kind }, Timed);
        await assertRows(first, pulledSessions + pushedSessions);
        return {
          pull,
          push,
          changes: await measureChanges({ from: newcomer, to: first }, { sessions: pulledSessions, changeCount }),
        };
      } finally {
        await newcomer.stop();
        await first?.stop();
      }
    });
    return {
      ...figures,
      clientDiskBytes: await folderBytes(resolveDir('newcomer')),
      serverDiskBytes: await folderBytes(resolveDir('server')),
    };
  } finally {
    await rm(runDir, { recursive: true, force: true });
  }
}

async function withContestant<Value>(
  contestant: Contestant,
  dir: string,
  work: (track: RunningContestant) => Promise<Value>,
): Promise<Value> {
  await mkdir(dir, { recursive: true });
  const server = startContestantProcess(moduleUrl(contestant, 'server'));
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

async function startDevice(
  { contestant, line }: RunningContestant,
  dir: string,
  ticket: string | null,
): Promise<ContestantProcess> {
  const device = startContestantProcess(moduleUrl(contestant, 'client'));
  try {
    await device.ask({ type: 'start', dir, url: `http://127.0.0.1:${line.port}`, ticket }, Empty);
    return device;
  } catch (error) {
    await device.stop();
    throw error;
  }
}

async function createInvite(track: RunningContestant, dir: string): Promise<string | null> {
  const first = await startDevice(track, dir, null);
  try {
    return (await first.ask({ type: 'invite' }, Invited)).ticket;
  } finally {
    await first.stop();
  }
}

async function measurePhase(
  { server, line }: RunningContestant,
  device: ContestantProcess,
  work: (device: ContestantProcess) => Promise<Pick<PhaseFigures, 'ms' | 'listedMs'>>,
): Promise<PhaseFigures> {
  await waitUntilQuiet(line);
  const cpuOf = async (child: ContestantProcess): Promise<number> =>
    (await child.ask({ type: 'measure' }, Measured)).cpuSeconds;
  const [bytesBefore, clientBefore, serverBefore] = [line.bytes(), await cpuOf(device), await cpuOf(server)];
  const { ms, listedMs } = await work(device);
  // Trailing traffic, such as acknowledgements and checkpoints, counts too.
  await waitUntilQuiet(line);
  return {
    ms,
    listedMs,
    wireBytes: line.bytes() - bytesBefore,
    clientCpuSeconds: (await cpuOf(device)) - clientBefore,
    serverCpuSeconds: (await cpuOf(server)) - serverBefore,
  };
}

async function waitUntilQuiet(line: CountingProxy): Promise<void> {
  const deadlineMs = performance.now() + MAX_QUIET_WAIT_MS;
  for (let before = -1; before !== line.bytes() && performance.now() < deadlineMs;) {
    before = line.bytes();
    await new Promise((resolve) => setTimeout(resolve, QUIET_POLL_MS));
  }
}

async function assertRows(device: ContestantProcess, count: number): Promise<void> {
  const held = await device.ask({ type: 'digest' }, RowsDigest);
  const checksum = computeChecksum(practiceRows(0, count));
  if (held.count !== count || held.checksum !== checksum)
    throw new Error(`a device has ${held.count} of ${count} rows, or their contents differ`);
}
