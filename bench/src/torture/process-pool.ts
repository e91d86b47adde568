/** Keeps device processes with preloaded code, so that a killed process is replaced at once and others are reused. */
import type { z } from 'zod';
import { killProcess, forkChild } from '../processes/fork-child.ts';
import { type Command, Reply } from './messages.ts';

export { killProcess };

/** Generous, because a slow machine is not a failure of the device. */
const TIMEOUT_MS = 180_000;

/** Thrown by a pending request when its process is killed. */
export class ProcessEnded extends Error {}

export interface DeviceProcess {
  ask: <Shape extends z.ZodType>(command: Command, answer: Shape) => Promise<z.infer<Shape>>;
  kill: () => Promise<void>;
  readonly isAlive: boolean;
}

export interface ProcessPool {
  acquire: () => DeviceProcess;
  /** Returns a process that has closed its device cleanly. */
  release: (process: DeviceProcess) => void;
  close: () => Promise<void>;
}

export function openProcessPool(module: URL, options: { spare: number; cacheDir: string }): ProcessPool {
  const idle: DeviceProcess[] = [];
  const all = new Set<DeviceProcess>();
  const start = (): DeviceProcess => {
    const started = startProcess(module, options.cacheDir);
    all.add(started);
    return started;
  };
  return {
    acquire: () => {
      const taken = idle.shift() ?? start();
      while (idle.length < options.spare) idle.push(start());
      return taken.isAlive ? taken : start();
    },
    release: (process) => {
      if (process.isAlive) idle.push(process);
    },
    close: async () => {
      await Promise.all([...all].map((process) => process.kill()));
    },
  };
}

function startProcess(module: URL, cacheDir: string): DeviceProcess {
  const { child, output } = forkChild(module, { NODE_ENV: 'test', NODE_COMPILE_CACHE: cacheDir });

  const pendingById = new Map<number, (reply: Reply | null) => void>();
  let lastId = 0;
  let isAlive = true;
  child.on('message', (message) => {
    const reply = Reply.parse(message);
    pendingById.get(reply.id)?.(reply);
  });
  child.on('exit', () => {
    isAlive = false;
    for (const settle of pendingById.values()) settle(null);
  });
  // Sending to a killed process fails here as well as in the pending request, which reports it.
  child.on('error', () => undefined);

  const send = (command: Command): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const settle = (reply: Reply | null): void => {
        clearTimeout(timer);
        pendingById.delete(id);
        if (reply === null) reject(new ProcessEnded(`${command.type}: the process ended\n${output()}`));
        else if (reply.ok) resolve(reply.value);
        else reject(new Error(`${command.type}: ${reply.error}`));
      };
      const timer = setTimeout(
        () => settle({ id, ok: false, error: `no answer in ${TIMEOUT_MS / 1000} s\n${output()}` }),
        TIMEOUT_MS,
      );
      pendingById.set(id, settle);
      if (isAlive) child.send({ id, command }, (error) => error !== null && settle(null));
      else settle(null);
    });

  return {
    ask: async (command, answer) => answer.parse(await send(command)),
    kill: () => killProcess(child),
    get isAlive() {
      return isAlive;
    },
  };
}
