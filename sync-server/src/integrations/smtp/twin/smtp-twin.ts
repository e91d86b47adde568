/** A mail server on this machine that delivers nothing: it keeps what it is given, and can be told to misbehave. */
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { readMail, type ReadMail } from './read-mail.ts';

export interface CaughtMail extends ReadMail {
  from: string;
  to: string[];
}

/** What it does to the mails that come, until told otherwise. */
export type Misbehaviour =
  | { type: 'none' }
  /** Answers with this code, at the recipient's address or after the mail itself. */
  | { type: 'answer'; code: number; at: 'sender' | 'recipient' | 'mail'; says?: string }
  | { type: 'slow'; ms: number }
  /** Breaks the line, before the mail or after it. */
  | { type: 'cut'; at: 'recipient' | 'mail' };

export interface SmtpTwin {
  url: string;
  /** In the order in which they came; those that were refused are not among them. */
  mails: readonly CaughtMail[];
  /** How often somebody tried to hand one over, well or badly. */
  tries: () => number;
  misbehave: (how: Misbehaviour, which?: (to: string) => boolean) => void;
  forget: () => void;
  close: () => Promise<void>;
}

const failing = (code: number, says: string): Error => Object.assign(new Error(says), { responseCode: code });

export async function startSmtpTwin({ port = 0 }: { port?: number } = {}): Promise<SmtpTwin> {
  const mails: CaughtMail[] = [];
  let tries = 0;
  let how: Misbehaviour = { type: 'none' };
  let concerns: (to: string) => boolean = () => true;
  const forReader = (to: string): Misbehaviour => (concerns(to) ? how : { type: 'none' });
  const answerAt = (at: 'sender' | 'recipient' | 'mail', to: string): Error | null => {
    const now = forReader(to);
    return now.type === 'answer' && now.at === at
      ? failing(now.code, now.says ?? 'the twin was told to say this')
      : null;
  };
  const socketByPort = new Map<number, Socket>();
  const cut = (remotePort: number): void => void socketByPort.get(remotePort)?.destroy();

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onMailFrom: (_address, _session, done) => {
      tries += 1;
      done(how.type === 'answer' && how.at === 'sender' ? failing(how.code, how.says ?? 'not this sender') : null);
    },
    onRcptTo: ({ address }, session, done) => {
      const now = forReader(address);
      if (now.type === 'cut' && now.at === 'recipient') return cut(session.remotePort);
      return done(answerAt('recipient', address));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const [first = ''] = to;
        const now = forReader(first);
        const refusal = answerAt('mail', first);
        if (refusal !== null) return done(refusal);
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
        // A line that breaks here has carried the mail all the same: that is the point of it.
        mails.push({ ...readMail(Buffer.concat(chunks).toString('utf8')), from, to });
        if (now.type === 'cut') return cut(session.remotePort);
        return void setTimeout(done, now.type === 'slow' ? now.ms : 0);
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket;
    socketByPort.set(remotePort, socket);
    socket.once('close', () => socketByPort.delete(remotePort));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = server.server.address();
  return {
    url: `smtp://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : port}`,
    mails,
    tries: () => tries,
    misbehave: (next, which = () => true) => {
      how = next;
      concerns = which;
    },
    forget: () => {
      mails.length = 0;
      tries = 0;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
