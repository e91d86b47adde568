/** What a server may not start with: in production a default that is only safe in development, elsewhere a network that can reach it. */
import { isLoopbackName } from '@parley/contract';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Config } from './config.ts';

/** Decimal digits of the guesses that a secret must take; 32 random hexadecimal digits take 10^27 at least. */
const SECRET_GUESSES_LOG10 = 20;
const PLACEHOLDER = /change|secret|passwor[dt]|example|default|replace|placeholder|qwerty|letmein/i;

/** What the configuration says beside what the program makes of it. */
export interface StartWishes {
  /** E-mails are to be files, although nobody gets those. */
  keepsMailInFiles: boolean;
  /** Others may reach a server that is not in production. */
  isInsecureAllowed: boolean;
}

/** Throws all that is wrong, each with its variable and what to do. */
export function requireSafeStart(config: Config, wishes: StartWishes): void {
  const problems = config.isProduction ? unsafeInProduction(config, wishes) : openBeyondThisMachine(config, wishes);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function unsafeInProduction(config: Config, { keepsMailInFiles }: StartWishes): string[] {
  const { databaseUrl, secret, publicUrl, mail } = config;
  const problems: [isProblem: boolean, sentence: string][] = [
    [databaseUrl === null, 'In production the server needs PostgreSQL: set DATABASE_URL (postgres://…).'],
    [
      secret === null,
      'In production the server needs a SECRET of its own, the same on every node: set it to the output of `openssl rand -base64 32`.',
    ],
    [
      secret !== null && isGuessable(secret),
      'SECRET is too easy to guess: codes, links and forms could be forged. Set it to the output of `openssl rand -base64 32`.',
    ],
    [
      publicUrl?.startsWith('https:') !== true,
      'In production the server needs to know the https address that browsers reach it at: set PUBLIC_URL (https://…). Links in e-mails lead there, and cookies are sent over nothing else.',
    ],
    [
      mail.smtpUrl === null && !keepsMailInFiles,
      'In production the server needs a mail server, or no learner gets a sign-in code: set SMTP_URL and MAIL_FROM, or MAIL=files to have e-mails written to files that you hand on yourself.',
    ],
  ];
  return problems.flatMap(([isProblem, sentence]) => (isProblem ? [sentence] : []));
}

function openBeyondThisMachine(config: Config, { isInsecureAllowed }: StartWishes): string[] {
  const { host, access, countsMinutes, payments, mail, publicUrl } = config;
  const hostname = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname ?? host;
  if (isInsecureAllowed || isLoopbackName(hostname)) return [];
  const open = [
    publicUrl?.startsWith('https:') === true ? null : 'tokens, cookies and what learners say travel unencrypted',
    access === 'open' ? 'every stranger has access to the coaches, at your cost (ACCESS=open)' : null,
    countsMinutes ? null : 'their minutes are not limited (AI_QUOTA=off)',
    payments?.type === 'twin' ? 'plans are sold for no real money (PAYMENTS=twin)' : null,
    mail.smtpUrl === null ? 'sign-in codes are written to files in DATA_DIR' : null,
  ].filter((each) => each !== null);
  return [
    [
      `HOST=${host} lets other machines reach this server, which is not set up for production. Then:`,
      ...open.map((each) => `  - ${each}`),
      'Set NODE_ENV=production for real use, leave HOST out to be reached from this machine only, or set PARLEY_INSECURE=1 if you trust everyone who can reach it.',
    ].join('\n'),
  ];
}

const isGuessable = (secret: string): boolean =>
  PLACEHOLDER.test(secret) || new ZxcvbnFactory().check(secret).guessesLog10 < SECRET_GUESSES_LOG10;
