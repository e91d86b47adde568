/** For as long as the server listens: conversations that are stored in one field become rows of turns, at its start and once a day. */
import type { FastifyInstance } from 'fastify';
import { moveTurns, type MoveTurnsParts } from '../sync/index.ts';

const MOVE_EVERY_MS = 24 * 3_600_000;

export function keepTurnsMoved(app: FastifyInstance, parts: MoveTurnsParts): void {
  const closing = new AbortController();
  let moving: Promise<void> = Promise.resolve();
  const begin = (): void => {
    moving = moveTurns(parts, closing.signal).then(
      (sessions) => {
        if (sessions > 0) app.log.info({ sessions }, 'turns_moved');
      },
      (error: unknown) => app.log.error({ err: error }, 'turns_not_moved'),
    );
  };
  let timer: NodeJS.Timeout | undefined;
  // While it listens: until a session was moved, a push that is about it moves it first.
  app.addHook('onListen', async () => {
    begin();
    timer = setInterval(begin, MOVE_EVERY_MS);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    closing.abort();
    await moving;
  });
}
