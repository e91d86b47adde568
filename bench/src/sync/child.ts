/** A process of a contestant, seen from the race: asked, answered, stopped. */
import type { z } from 'zod';
import { endProcess, forkChild } from '../forked-child.ts';
import { type ClientCommand, Reply, type ServerCommand } from './messages.ts';

type Command = ClientCommand | ServerCommand;

export interface Child {
  ask: <Shape extends z.ZodType>(command: Command, answer: Shape, timeoutMs?: number) => Promise<z.infer<Shape>>;
  /** In good order; by force when it does not answer. */
  stop: () => Promise<void>;
}

const TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

interface Waiting {
  settle: (reply: Reply) => void;
}

export function startChild(module: URL, environment: Record<string, string> = {}): Child {
  const { child, said } = forkChild(module, { NODE_ENV: 'production', ...environment });

  const waiting = new Map<number, Waiting>();
  let asked = 0;
  child.on('message', (message) => {
    const { data } = Reply.safeParse(message);
    if (data !== undefined) waiting.get(data.id)?.settle(data);
  });
  child.on('exit', (code, signal) => {
    for (const [id, { settle }] of waiting) settle({ id, ok: false, error: `the process ended (${code ?? signal})` });
  });

  function send(command: Command, timeoutMs: number): Promise<unknown> {
    asked += 1;
    const id = asked;
    return new Promise((resolve, reject) => {
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        waiting.delete(id);
        if (reply.ok) resolve(reply.value);
        else reject(new Error(`${command.type}: ${reply.error}\n${said()}`));
      };
      const timer = setTimeout(() => settle({ id, ok: false, error: `no answer in ${timeoutMs / 1000} s` }), timeoutMs);
      waiting.set(id, { settle });
      if (child.connected) child.send({ id, command });
      else settle({ id, ok: false, error: 'the process has ended' });
    });
  }

  return {
    ask: async (command, answer, timeoutMs = TIMEOUT_MS) => answer.parse(await send(command, timeoutMs)),
    stop: async () => {
      await send({ type: 'stop' }, STOP_TIMEOUT_MS).catch(() => undefined);
      await endProcess(child);
    },
  };
}
