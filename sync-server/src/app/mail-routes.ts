/** `GET` and `POST /unsubscribe`, and the schedule that lives as long as the server listens. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DatabaseConnection } from '../db/client.ts';
import {
  askPage,
  brokenLinkPage,
  donePage,
  type Mail,
  type MailSchedule,
  PAGE_HEADERS,
  startMailSchedule,
  UNSUBSCRIBE_PATH,
} from '../mail/index.ts';

export function addMailRoutes(app: FastifyInstance, { unsubscribe }: Mail): void {
  const tokenOf = (request: FastifyRequest): unknown => (request.query as { token?: unknown }).token;
  // The link is good for ever and stands in the address: requests for it are not logged.
  const quiet = { logLevel: 'warn' } as const;
  const show = (reply: FastifyReply, status: number, page: string): FastifyReply =>
    reply.status(status).headers(PAGE_HEADERS).send(page);

  app.get(UNSUBSCRIBE_PATH, quiet, async (request, reply) => {
    const token = tokenOf(request);
    return unsubscribe.readToken(token) === null
      ? show(reply, 400, brokenLinkPage())
      : show(reply, 200, askPage(String(token)));
  });

  // The button's, and that of mail programs (RFC 8058): no cookie, no redirection, and whatever the body says.
  app.post(UNSUBSCRIBE_PATH, quiet, async (request, reply) => {
    const userId = unsubscribe.readToken(tokenOf(request));
    if (userId === null) return show(reply, 400, brokenLinkPage());
    await unsubscribe.turnOff(userId);
    return show(reply, 200, donePage());
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
