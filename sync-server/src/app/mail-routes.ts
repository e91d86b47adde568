/** `GET` and `POST /unsubscribe`, what mail servers send back, and the schedule that lives as long as the server listens. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DatabaseConnection } from '../db/client.ts';
import { failure } from '../failure.ts';
import { type Mail, type MailSchedule, startMailSchedule, UNSUBSCRIBE_PATH } from '../mail/index.ts';
import { askPage, brokenLinkPage, donePage } from './unsubscribe-pages.ts';
import { showPage } from './web-layout.ts';

export const BOUNCES_PATH = '/v1/mail/bounces';
/** A notification quotes the mail that came back; ours are small. */
const MAX_NOTIFICATION_BYTES = 1024 * 1024;

/** For whoever takes in what mail servers send back (RFC 3464): the raw message, with the key as a bearer token. */
export function addBounceRoute(app: FastifyInstance, mail: Mail, key: string): void {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = hash(`Bearer ${key}`);
  void app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers();
    plugin.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_NOTIFICATION_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    // Before the body is read: a stranger's is not.
    plugin.addHook('onRequest', async ({ headers }) => {
      if (!timingSafeEqual(hash(headers.authorization ?? ''), expected)) throw failure('auth.required');
    });
    plugin.post(BOUNCES_PATH, { config: { caller: 'key' } }, async ({ body }) => {
      if (!Buffer.isBuffer(body)) throw failure('request.invalid', { field: 'body' });
      // Bytes as they are: of a notification only header fields are read.
      const mailId = await mail.noteNotification(body.toString('latin1'));
      return { noted: mailId !== null };
    });
  });
}

export function addMailRoutes(app: FastifyInstance, { unsubscribe }: Mail): void {
  const tokenOf = (request: FastifyRequest): unknown => (request.query as { token?: unknown }).token;
  // The link is good for ever and stands in the address: requests for it are not logged.
  const quiet = { logLevel: 'warn' } as const;

  app.get(UNSUBSCRIBE_PATH, quiet, async (request, reply) => {
    const token = tokenOf(request);
    return unsubscribe.readToken(token) === null
      ? showPage(reply, brokenLinkPage(), 400)
      : showPage(reply, askPage(String(token)));
  });

  // The button's, and that of mail programs (RFC 8058): no cookie, no redirection, and whatever the body says.
  app.post(UNSUBSCRIBE_PATH, { ...quiet, config: { caller: 'anyone' } }, async (request, reply) => {
    const userId = unsubscribe.readToken(tokenOf(request));
    if (userId === null) return showPage(reply, brokenLinkPage(), 400);
    await unsubscribe.turnOff(userId);
    return showPage(reply, donePage());
  });
}

export function runMailSchedule(app: FastifyInstance, mail: Mail, { jobs }: Pick<DatabaseConnection, 'jobs'>): void {
  let schedule: Promise<MailSchedule | null> = Promise.resolve(null);
  app.addHook('onListen', async () => {
    // Nobody who connects waits for the job queue's tables.
    schedule = startMailSchedule({
      mail,
      jobs,
      onError: (error) => app.log.error({ err: error }, 'the schedule of e-mails has failed'),
    }).catch((error: unknown) => {
      app.log.error({ err: error }, 'no e-mail will be sent: their schedule did not start');
      return null;
    });
  });
  app.addHook('preClose', async () => (await schedule)?.stop());
}
