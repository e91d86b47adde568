/** Processes that wait with their code loaded: one that is killed has its next at hand, and a run's go on in the next run. */
import type { z } from 'zod';
import { endProcess, forkChild } from '../forked-child.ts';
import { type Command, Reply } from './messages.ts';

export { endProcess };

const TIMEOUT_MS = 60_000;

/** Thrown at whoever waited for the answer of a process that was killed. */
export class ProcessEnded extends Error {}

export interface DeviceProcess {
  ask: <Shape extends z.ZodType>(command: Command, answer: Shape) => Promise<z.infer<Shape>>;
  kill: () => Promise<void>;
  readonly isAlive: boolean;
}

export interface ProcessPool {
  take: () => DeviceProcess;
  /** For those that closed their device in good order. */
  giveBack: (process: DeviceProcess) => void;
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
    take: () => {
      const taken = idle.shift() ?? start();
      while (idle.length < options.spare) idle.push(start());
      return taken.isAlive ? taken : start();
    },
    giveBack: (process) => {
      if (process.isAlive) idle.push(process);
    },
    close: async () => {
      await Promise.all([...all].map((process) => process.kill()));
    },
  };
}

function startProcess(module: URL, cacheDir: string): DeviceProcess {
  const { child, said } = forkChild(module, { NODE_ENV: 'test', NODE_COMPILE_CACHE: cacheDir });

  const waiting = new Map<number, (reply: Reply | null) => void>();
  let asked = 0;
  let isAlive = true;
  child.on('message', (message) => {
    const reply = Reply.parse(message);
    waiting.get(reply.id)?.(reply);
  });
  child.on('exit', () => {
    isAlive = false;
    for (const settle of waiting.values()) settle(null);
  });
  // A message to a process that has just been killed fails here as well as at whoever waits for its answer.
  child.on('error', () => undefined);

  const send = (command: Command): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked += 1;
      const id = asked;
      const settle = (reply: Reply | null): void => {
        clearTimeout(timer);
        waiting.delete(id);
        if (reply === null) reject(new ProcessEnded(`${command.type}: the process ended\n${said()}`));
        else if (reply.ok) resolve(reply.value);
        else reject(new Error(`${command.type}: ${reply.error}`));
      };
      const timer = setTimeout(
        () => settle({ id, ok: false, error: `no answer in ${TIMEOUT_MS / 1000} s\n${said()}` }),
        TIMEOUT_MS,
      );
      waiting.set(id, settle);
      if (isAlive) child.send({ id, command }, (error) => error !== null && settle(null));
      else settle(null);
    });

  return {
    ask: async (command, answer) => answer.parse(await send(command)),
    kill: () => endProcess(child),
    get isAlive() {
      return isAlive;
    },
  };
}
