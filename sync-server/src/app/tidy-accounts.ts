/** For as long as the server listens: erases who asked for it thirty days ago, and forgets codes, links and cookies that are long over. */
import type { FastifyInstance } from 'fastify';
import { ERASE_EVERY_MS, eraseDue, type EraseParts, forgetOldMessages, forgetOldSessions } from '../account/index.ts';
import { forgetOldCounts } from './rate-limiter.ts';

export function tidyAccounts(app: FastifyInstance, parts: Omit<EraseParts, 'onFailure'>): void {
  const tidy = async (): Promise<void> => {
    const erased = await eraseDue({
      ...parts,
      onFailure: (error) => app.log.error({ err: error }, 'an account could not be erased'),
    });
    const messages = await forgetOldMessages(parts);
    const sessions = await forgetOldSessions(parts);
    await forgetOldCounts(parts);
    if (erased + messages + sessions > 0) app.log.info({ erased, messages, sessions }, 'what was over is gone');
  };
  let tidying: Promise<void> = Promise.resolve();
  const begin = (): void => {
    tidying = tidy().catch((error: unknown) => app.log.error({ err: error }, 'accounts could not be tidied'));
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    begin();
    timer = setInterval(begin, ERASE_EVERY_MS);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    await tidying;
  });
}
