/** A contestant's process: answers the race's commands with what the contestant does. */
import type { z } from 'zod';
import { ClientCommand, type Reply, Request, type Seen, ServerCommand, sharedClockMs } from './messages.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { checksumOf, type PracticeRow, practiceRows, type RowDigest } from './rows.ts';

/** A server of a contestant, on a folder that outlives it. */
export interface ContestantServer {
  /** Listens on 127.0.0.1; the port. */
  start: (dir: string) => Promise<number>;
  /** User and system seconds of everything that serves; this process alone when left out. */
  cpuSeconds?: () => Promise<number>;
  stop: () => Promise<void>;
}

/** A device of a contestant. What it resolves is on its disk, or acknowledged as being on the server's. */
export interface ContestantClient {
  start: (place: { dir: string; url: string; ticket: string | null }) => Promise<void>;
  invite?: () => Promise<string>;
  /** Resolves when that many rows are on this device's disk. */
  pullAll: (expected: number) => Promise<void>;
  /** Resolves when the server has taken all of them. */
  push: (rows: readonly PracticeRow[]) => Promise<void>;
  /** Resolves when the change is made here; it travels by itself. */
  change: (row: RowDigest) => Promise<void>;
  /** Resolves when a query on this device shows the change. */
  awaitChange: (row: RowDigest) => Promise<void>;
  /** Resolves when all that queries show is on the disk; left out where it always is. */
  stored?: () => Promise<void>;
  read: () => Promise<RowDigest[]>;
  stop: () => Promise<void>;
}

const NOTHING = {};

export function serveServer(server: ContestantServer): void {
  answer(async (message) => {
    const command = ServerCommand.parse(message);
    switch (command.type) {
      case 'start':
        return { port: await server.start(command.dir) };
      case 'measure':
        return { cpuSeconds: (await server.cpuSeconds?.()) ?? ownCpuSeconds() };
      case 'stop':
        await server.stop();
        return NOTHING;
    }
  });
}

export function serveClient(client: ContestantClient): void {
  answer(async (message) => {
    const command = ClientCommand.parse(message);
    switch (command.type) {
      case 'start':
        await client.start(command);
        return NOTHING;
      case 'invite':
        return { ticket: (await client.invite?.()) ?? null };
      case 'pullAll':
        return timed(() => client.pullAll(command.expect));
      case 'push': {
        const rows = practiceRows(command.first, command.count);
        return timed(() => client.push(rows));
      }
      case 'change': {
        const atMs = sharedClockMs();
        await client.change(command);
        return { atMs };
      }
      case 'awaitChange':
        return within(command.withinMs, seeChange(client, command));
      case 'digest': {
        const rows = await client.read();
        return { count: rows.length, checksum: checksumOf(rows) };
      }
      case 'measure':
        return { cpuSeconds: ownCpuSeconds() };
      case 'stop':
        await client.stop();
        return NOTHING;
    }
  });
}

async function timed(work: () => Promise<void>): Promise<{ ms: number }> {
  const startedMs = performance.now();
  await work();
  return { ms: performance.now() - startedMs };
}

async function seeChange(
  client: ContestantClient,
  { untilStored, ...row }: RowDigest & { untilStored: boolean },
): Promise<z.infer<typeof Seen>> {
  await client.awaitChange(row);
  const seenAtMs = sharedClockMs();
  if (!untilStored) return { seenAtMs, storedAtMs: null };
  await client.stored?.();
  return { seenAtMs, storedAtMs: sharedClockMs() };
}

/** Null when the time is over first. */
function within<Value>(ms: number, work: Promise<Value>): Promise<Value | null> {
  const over = new Promise<null>((resolve) => void setTimeout(() => resolve(null), ms).unref());
  return Promise.race([work, over]);
}

function answer(act: (message: unknown) => Promise<unknown>): void {
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('message', (message) => {
    const { data } = Request.safeParse(message);
    // Products tell their parent things of their own; only what the race asks has a number.
    if (data === undefined) return;
    act(data.command).then(
      (value) => send({ id: data.id, ok: true, value }),
      (error: unknown) =>
        send({ id: data.id, ok: false, error: error instanceof Error ? String(error.stack) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(1));
}
