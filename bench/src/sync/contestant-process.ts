/** Starts the process of a contestant, sends it commands and stops it. */
import type { z } from 'zod';
import { killProcess, forkChild } from '../processes/fork-child.ts';
import { type ClientCommand, Reply, type ServerCommand } from './messages.ts';

type Command = ClientCommand | ServerCommand;

export interface ContestantProcess {
  ask: <Shape extends z.ZodType>(command: Command, answer: Shape, timeoutMs?: number) => Promise<z.infer<Shape>>;
  /** Stops the process cleanly, or kills it when it does not respond. */
  stop: () => Promise<void>;
}

const TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

interface PendingRequest {
  settle: (reply: Reply) => void;
}

export function startContestantProcess(module: URL, environment: Record<string, string> = {}): ContestantProcess {
  const { child, output } = forkChild(module, { NODE_ENV: 'production', ...environment });

  const pendingById = new Map<number, PendingRequest>();
  let lastId = 0;
  child.on('message', (message) => {
    const { data } = Reply.safeParse(message);
    if (data !== undefined) pendingById.get(data.id)?.settle(data);
  });
  child.on('exit', (code, signal) => {
    for (const [id, { settle }] of pendingById)
      settle({ id, ok: false, error: `the process ended (${code ?? signal})` });
  });

  function send(command: Command, timeoutMs: number): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        pendingById.delete(id);
        if (reply.ok) resolve(reply.value);
        else reject(new Error(`${command.type}: ${reply.error}\n${output()}`));
      };
      const timer = setTimeout(() => settle({ id, ok: false, error: `no answer in ${timeoutMs / 1000} s` }), timeoutMs);
      pendingById.set(id, { settle });
      if (child.connected) child.send({ id, command });
      else settle({ id, ok: false, error: 'the process has ended' });
    });
  }

  return {
    ask: async (command, answer, timeoutMs = TIMEOUT_MS) => answer.parse(await send(command, timeoutMs)),
    stop: async () => {
      await send({ type: 'stop' }, STOP_TIMEOUT_MS).catch(() => undefined);
      await killProcess(child);
    },
  };
}
