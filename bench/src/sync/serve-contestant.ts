/** Runs inside the process of a contestant and maps the commands of the benchmark to it. */
import type { z } from 'zod';
import {
  ClientCommand,
  type Reply,
  Request,
  type ChangeSeen,
  type Timed,
  ServerCommand,
  sharedClockMs,
} from './messages.ts';
import { ownCpuSeconds } from '../processes/own-cpu.ts';
import type { WorkloadKind } from './workload.ts';
import { computeChecksum, type PracticeRow, practiceRows, type RowDigest } from './workload-rows.ts';

/** The server of a contestant, on a persistent folder. */
export interface ContestantServer {
  /** Listens on 127.0.0.1 and resolves to the port. */
  start: (dir: string) => Promise<number>;
  /** User and system CPU seconds of all its processes; this process alone when omitted. */
  cpuSeconds?: () => Promise<number>;
  stop: () => Promise<void>;
}

/** A device of a contestant. Each promise resolves when the data is on disk, here or on the server. */
export interface ContestantClient {
  start: (place: { dir: string; url: string; ticket: string | null }) => Promise<void>;
  invite?: () => Promise<string>;
  /**
   * Resolves when this many sessions with this many turns are on this device's disk. Calls `onListed` when the sessions
   * are there, if they arrive first.
   */
  pullAll: (expected: { sessions: number; turns: number }, onListed: () => void) => Promise<void>;
  /** Resolves when the server has stored all rows. */
  push: (rows: readonly PracticeRow[]) => Promise<void>;
  /** Resolves when the change is made locally; it is then synced in the background. */
  change: (row: RowDigest) => Promise<void>;
  /** Resolves when a query on this device shows the change. */
  awaitChange: (row: RowDigest) => Promise<void>;
  /** Resolves when everything that queries show is on disk; omitted if that is always the case. */
  whenStored?: () => Promise<void>;
  read: () => Promise<RowDigest[]>;
  stop: () => Promise<void>;
}

const EMPTY = {};

export function serveContestantServer(server: ContestantServer): void {
  serveCommands(async (message) => {
    const command = ServerCommand.parse(message);
    switch (command.type) {
      case 'start':
        return { port: await server.start(command.dir) };
      case 'measure':
        return { cpuSeconds: (await server.cpuSeconds?.()) ?? ownCpuSeconds() };
      case 'stop':
        await server.stop();
        return EMPTY;
    }
  });
}

/** How many turns the first sessions of the workload have. */
const turnCount = ({ expect, kind }: { expect: number; kind: WorkloadKind }): number =>
  kind === 'sessions' ? 0 : practiceRows(0, expect, kind).reduce((sum, { turns = [] }) => sum + turns.length, 0);

export function serveContestantClient(client: ContestantClient): void {
  serveCommands(async (message) => {
    const command = ClientCommand.parse(message);
    switch (command.type) {
      case 'start':
        await client.start(command);
        return EMPTY;
      case 'invite':
        return { ticket: (await client.invite?.()) ?? null };
      case 'pullAll': {
        const turns = turnCount(command);
        return measureTime((onListed) => client.pullAll({ sessions: command.expect, turns }, onListed));
      }
      case 'push': {
        const rows = practiceRows(command.first, command.count, command.kind);
        return measureTime(() => client.push(rows));
      }
      case 'change': {
        const atMs = sharedClockMs();
        await client.change(command);
        return { atMs };
      }
      case 'awaitChange':
        return withTimeout(command.withinMs, awaitAndTimeChange(client, command));
      case 'digest': {
        const rows = await client.read();
        return { count: rows.length, checksum: computeChecksum(rows) };
      }
      case 'measure':
        return { cpuSeconds: ownCpuSeconds() };
      case 'stop':
        await client.stop();
        return EMPTY;
    }
  });
}

async function measureTime(work: (onListed: () => void) => Promise<void>): Promise<z.infer<typeof Timed>> {
  const startedMs = performance.now();
  let listedMs: number | null = null;
  await work(() => {
    listedMs = performance.now() - startedMs;
  });
  const ms = performance.now() - startedMs;
  return { ms, listedMs: listedMs ?? ms };
}

async function awaitAndTimeChange(
  client: ContestantClient,
  { untilStored, ...row }: RowDigest & { untilStored: boolean },
): Promise<z.infer<typeof ChangeSeen>> {
  await client.awaitChange(row);
  const seenAtMs = sharedClockMs();
  if (!untilStored) return { seenAtMs, storedAtMs: null };
  await client.whenStored?.();
  return { seenAtMs, storedAtMs: sharedClockMs() };
}

/** Resolves to null on timeout. */
function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value | null> {
  const over = new Promise<null>((resolve) => void setTimeout(() => resolve(null), ms).unref());
  return Promise.race([work, over]);
}

function serveCommands(act: (message: unknown) => Promise<unknown>): void {
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('message', (message) => {
    const { data } = Request.safeParse(message);
    // Products send messages of their own; only requests of the benchmark have an id.
    if (data === undefined) return;
    act(data.command).then(
      (value) => send({ id: data.id, ok: true, value }),
      (error: unknown) =>
        send({ id: data.id, ok: false, error: error instanceof Error ? String(error.stack) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(1));
}
