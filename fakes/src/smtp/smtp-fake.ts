/** A local mail server that delivers nothing: it keeps the received mails and can be told to fail. */
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { parseMail, type ParsedMail } from './parse-mail.ts';

export interface ReceivedMail extends ParsedMail {
  from: string;
  to: string[];
}

/** How the fake treats incoming mails until this is changed. */
export type SmtpFault =
  | { type: 'none' }
  /** Answers with this code at the sender, at the recipient or after the message. */
  | { type: 'answer'; code: number; at: 'sender' | 'recipient' | 'mail'; says?: string }
  | { type: 'slow'; ms: number }
  /** Drops the connection before or after the message. */
  | { type: 'cut'; at: 'recipient' | 'mail' };

export interface SmtpFake {
  url: string;
  /** Sorted by arrival, without rejected ones. */
  mails: readonly ReceivedMail[];
  /** Number of attempts, successful or not. */
  attemptCount: () => number;
  setFault: (fault: SmtpFault, recipientFilter?: (to: string) => boolean) => void;
  clear: () => void;
  close: () => Promise<void>;
}

const smtpError = (code: number, says: string): Error => Object.assign(new Error(says), { responseCode: code });

export async function startSmtpFake({ port = 0 }: { port?: number } = {}): Promise<SmtpFake> {
  const mails: ReceivedMail[] = [];
  let attemptCount = 0;
  let fault: SmtpFault = { type: 'none' };
  let appliesTo: (to: string) => boolean = () => true;
  const faultFor = (to: string): SmtpFault => (appliesTo(to) ? fault : { type: 'none' });
  const rejectionAt = (at: 'sender' | 'recipient' | 'mail', to: string): Error | null => {
    const currentFault = faultFor(to);
    return currentFault.type === 'answer' && currentFault.at === at
      ? smtpError(currentFault.code, currentFault.says ?? 'the fake was told to answer this')
      : null;
  };
  const socketByPort = new Map<number, Socket>();
  const dropConnection = (remotePort: number): void => void socketByPort.get(remotePort)?.destroy();

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onMailFrom: (_address, _session, done) => {
      attemptCount += 1;
      done(
        fault.type === 'answer' && fault.at === 'sender'
          ? smtpError(fault.code, fault.says ?? 'this sender is rejected')
          : null,
      );
    },
    onRcptTo: ({ address }, session, done) => {
      const currentFault = faultFor(address);
      if (currentFault.type === 'cut' && currentFault.at === 'recipient') return dropConnection(session.remotePort);
      return done(rejectionAt('recipient', address));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const [first = ''] = to;
        const currentFault = faultFor(first);
        const refusal = rejectionAt('mail', first);
        if (refusal !== null) return done(refusal);
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
        // If the connection breaks here, the mail has still been delivered, which is the case to test.
        mails.push({ ...parseMail(Buffer.concat(chunks).toString('utf8')), from, to });
        if (currentFault.type === 'cut') return dropConnection(session.remotePort);
        return void setTimeout(done, currentFault.type === 'slow' ? currentFault.ms : 0);
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
    attemptCount: () => attemptCount,
    setFault: (next, recipientFilter = () => true) => {
      fault = next;
      appliesTo = recipientFilter;
    },
    clear: () => {
      mails.length = 0;
      attemptCount = 0;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
